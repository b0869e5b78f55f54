import type { Context } from '../../../context/context.ts'
import { Failure, type Issue, invalidInput } from '../../../errors.ts'
import type { ImportJob } from '../../../import/import-job.ts'
import { canBeSent, type Plan } from '../../../import/plan-import.ts'
import { markHeldBack } from '../../../import/report/reject-held-back.ts'
import { openRejects } from '../../../import/report/rejects-file.ts'
import type { FilePlan } from '../../../import/rows/plan.ts'
import { isPreviewed, placed, rows } from './import-words.ts'
import { commandAgain, commandForFile } from './next-command.ts'

/**
 * Throws a Failure (exit 3) when a row of the file cannot be sent: then none is, unless only the sound ones are wanted.
 * With `--rejects` it writes a copy of the file with the wrong cells marked first.
 */
export async function assertReady(
  context: Context,
  job: ImportJob,
  given: string,
  { file, ready }: Plan,
  rejects: string | undefined,
): Promise<void> {
  const bad = file.heldBack.size
  if (canBeSent(file, job.readyOnly)) return
  const [it, are] = bad === 1 ? ['it', 'it is'] : ['them', 'they are']
  const copy =
    rejects === undefined || file.isCutShort ? undefined : await writeCopy(job, given, file, rejects)
  const ways: [says: string, command: string][] = []
  if (!copy && !file.isCutShort) {
    const options = ['--dry-run', '--rejects', given.replace(/(\.\w+)?$/, '.marked$1')]
    ways.push([
      'have the wrong cells marked in a copy of the file',
      commandAgain(context, given, { options }),
    ])
  }
  if (ready > 0 && !job.readyOnly && !file.isCutShort) {
    const says = `create the ${ready} that ${ready === 1 ? 'is' : 'are'} ready`
    ways.push([says, commandAgain(context, given, { options: ['--ready-only'] })])
  }
  const others = ways.map(([says]) => `, or ${says}`).join('')
  const first = copy
    ? `Put ${it} right in ${copy}, where the wrong cells are marked, and import that`
    : `Put ${it} right and run the command again`
  const commands = [
    ...(copy ? [commandForFile(context, given, job.source, copy)] : []),
    ...ways.map(([, one]) => one),
  ]
  const issues = isPreviewed(context) ? [] : issuesIn(file)
  const failure = invalidInput(
    `${rows(bad)} cannot be sent as ${are}. Nothing was sent.`,
    issues,
    `${first}${others}${commands.length > 0 ? ':' : '.'}`,
  )
  throw new Failure('input', failure.message, {
    ...failure.details,
    ...(issues.length > 0 && { issueCount: file.invalid.count }),
    ...(commands.length > 0 && { resume: commands }),
  })
}

/** The path of a copy of the file, with all of its rows: none of them was sent. */
async function writeCopy(
  { source }: ImportJob,
  given: string,
  file: FilePlan,
  path: string,
): Promise<string> {
  const rejects = await openRejects(source, given, path)
  await markHeldBack(source, file, rejects)
  await rejects.close()
  return rejects.path() ?? path
}

function issuesIn({ heldBack }: FilePlan): Issue[] {
  return [...heldBack].flatMap(([row, issues]) =>
    issues.map(({ path, message }) => ({ path: placed(row, path), message })),
  )
}
