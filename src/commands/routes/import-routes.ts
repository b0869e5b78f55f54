import { allOperations } from '../../api/contract/operations/operations.ts'
import {
  applyCorrection,
  correctionText,
  type ExportedRoutes,
  readCorrection,
  readExportedRoutes,
  unusableCorrections,
} from '../../api/contract/operations/route-correction.ts'
import type { Verb } from '../../cli/verb.ts'
import type { Context } from '../../context/context.ts'
import { invalidInput } from '../../errors.ts'
import { plural } from '../../formats/words.ts'
import type { Json } from '../../json/path.ts'
import { agree, changeProfile, storedName } from './stored-corrections.ts'

export const imported: Verb = {
  name: 'import',
  summary: 'Apply the prefix and the corrections that a colleague exported, after showing what changes',
  options: ['file'],
  examples: ['payroll routes import --file routes.json', 'payroll routes import --yes < routes.json'],
  async run(context, { options }) {
    const { givenRecord } = await import('../../verbs/input.ts')
    const given = readExported(await givenRecord(context, options))
    const name = await storedName(context)
    const changes = await changesBy(context, given)
    if (changes.length === 0)
      return context.note(`The profile ${name} has all of these corrections already. Nothing was changed.`)
    for (const change of changes) context.note(change)
    const count = plural(changes.length, 'change')
    await agree(
      context,
      `Make ${count} to the profile ${name}?`,
      `This makes ${count} to the profile ${name}.`,
    )
    await changeProfile(context, (profile) => ({
      ...profile,
      ...(given.prefix !== undefined && { prefix: given.prefix }),
      routes: { ...profile.routes, ...given.routes },
    }))
    context.note(`Made ${count} to the profile ${name}.`)
  },
}

/** Throws a Failure (exit 3) that names each entry with which something is wrong. */
function readExported(given: Json): ExportedRoutes {
  const found = readExportedRoutes(given)
  if ('routes' in found) return found
  if (found.every(({ path }) => path === ''))
    throw invalidInput('The input is not what routes export prints. Nothing was changed.', [])
  throw invalidInput('These corrections cannot be used. Nothing was changed.', found)
}

/** What would change, a line each: the operation, its route now, and the new one. */
async function changesBy(context: Context, { prefix, routes }: ExportedRoutes): Promise<string[]> {
  const { prefix: prefixNow, routes: stored } = await context.profile()
  // A stored correction that cannot be used is replaced.
  const unusable = unusableCorrections(stored)
  const changes = allOperations.flatMap((operation) => {
    const { id } = operation
    const after = Object.hasOwn(routes, id) ? readCorrection(operation, routes[id]) : undefined
    if (after === undefined || typeof after === 'string') return []
    const [old, wanted] = [
      unusable.has(id) ? 'not usable' : correctionText(applyCorrection(operation, stored)),
      correctionText(after),
    ]
    return old === wanted ? [] : [`${id}: ${old} → ${wanted}`]
  })
  return prefix === undefined || prefix === prefixNow
    ? changes
    : [`prefix: ${prefixNow} → ${prefix}`, ...changes]
}
