import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { usage } from '../../errors.ts'
import { privateJson } from '../../files/local/private-json.ts'
import {
  type AnyFact,
  builtInFacts,
  type Facts,
  facts,
  findableFacts,
  isSameFact,
} from '../../model/facts/facts.ts'

/** Later versions of the file are not read. */
const format = 1

/** The file. Each fact is checked by `readFact`, as in an import. `at`: the last import, ISO 8601 in UTC. */
const fileShape = z.object({ format: z.literal(format), at: z.string(), facts: z.array(z.unknown()) })

function factStore(directory: string) {
  const file = join(directory, 'facts.json')
  const unreadable = (code?: string) =>
    usage(
      code === undefined
        ? `${file} cannot be read: it is not a file of facts. It was not changed.`
        : `${file} cannot be read (${code}).`,
      'Move it away, or use the facts of this tool again: payroll facts reset',
    )
  const store = privateJson(file, fileShape, {
    what: 'the file of imported facts',
    format,
    damaged: unreadable,
  })
  return { ...store, unreadable }
}

/** What was imported on this computer; undefined where nothing was. Throws a usage failure for a file that cannot be read. */
async function readImportedFacts(directory: string) {
  const { read, unreadable } = factStore(directory)
  const content = await read()
  if (!content) return undefined
  const { readFact } = await import('./fact-shapes.ts')
  const facts = content.facts.flatMap((each) => {
    const one = readFact(each)
    return 'fact' in one ? [one.fact] : []
  })
  if (facts.length < content.facts.length) throw unreadable()
  return { facts, at: content.at }
}

/** The facts in force: imported ones come before ours of the same days. Throws as `readImportedFacts` does. */
export async function factsInForce(directory: string | undefined): Promise<Facts> {
  const imported = directory === undefined ? undefined : await readImportedFacts(directory)
  return imported ? findableFacts([...imported.facts, ...facts], imported.at.slice(0, 10)) : builtInFacts
}

/**
 * Adds imported facts, in a file that only its owner can read (0600). One that is the same as ours is not
 * kept, so that a later version of this tool can correct it. Returns those that are new.
 */
export async function addFacts(
  directory: string,
  newFacts: readonly AnyFact[],
  at: string,
): Promise<readonly AnyFact[]> {
  const isIncluded = (facts: readonly AnyFact[], one: AnyFact) =>
    facts.some((each) => isDeepStrictEqual(each, one))
  let additions: readonly AnyFact[] = []
  await factStore(directory).change(async () => {
    const before = (await readImportedFacts(directory))?.facts ?? []
    additions = newFacts.filter((each) => !isIncluded(facts, each) && !isIncluded(before, each))
    const otherFacts = before.filter(
      (each) => !newFacts.some((one) => isSameFact(one, each) && one.from === each.from),
    )
    const same = before.filter((each) => isIncluded(newFacts, each))
    return { format, at, facts: [...additions, ...same, ...otherFacts] }
  })
  return additions
}

/** Removes what was imported. Returns whether anything was. */
export const removeImportedFacts = (directory: string): Promise<boolean> => factStore(directory).remove()
