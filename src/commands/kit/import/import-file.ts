import { realpath } from 'node:fs/promises'
import type { RecordType } from '../../../api/contract/records/record-type.ts'
import type { Context } from '../../../context/context.ts'
import { servicePlace } from '../../../context/service/service-place.ts'
import { systemCode, usage } from '../../../errors.ts'
import { type LockOptions, withLock } from '../../../files/lock.ts'
import { journalFile, journalFolder } from '../../../import/journal/journal-file.ts'
import { type Import, planImport } from '../../../import/plan-import.ts'
import { openSource, type SourceOptions } from '../../../import/reading/open-source.ts'
import { openRejects } from '../../../import/report/rejects-file.ts'
import { failureOf } from '../../../import/report/report.ts'
import { runImport } from '../../../import/run-import.ts'
import type { Options } from '../declare/options.ts'
import type { ImportVerb } from '../declare/resource-verbs.ts'
import { chooseOperation } from '../declare/target.ts'
import { typedCommand } from '../lookup/command-line.ts'
import { expectWrite } from '../lookup/lookup-command.ts'
import { confirmWrite, mustAsk } from '../steps/confirm.ts'
import { runUntilSignal } from '../steps/run-until-signal.ts'
import { columnMapFor } from './choose-column-map.ts'
import { announce, answer, assertValid, counted, dryRun, sentence } from './import-output.ts'
import { watched } from './import-progress.ts'

const defaults = { settleSeconds: 60, concurrency: 4 }

/** Imports a file, or says with --dry-run what would happen. */
export async function importFile(
  context: Context,
  verb: ImportVerb,
  given: string,
  options: Options,
): Promise<void> {
  const { kind } = verb
  const [create, list] = [chooseOperation(verb.operation, options), chooseOperation(verb.list, options)]
  if (!create.requestRecord) throw new TypeError(`${create.id} sends nothing`)
  const file = await realFile(given)
  const client = await context.client()
  if (!options.dryRun) await mustAsk(context, `create ${kind.noun}`)
  const source = await openSource(file, {
    type: create.requestRecord,
    today: context.today(),
    ...readingOptions(context, create.requestRecord, options),
  })
  const place = servicePlace(await context.profile(), client.prepare(list).url, create.id)
  const directory = await context.directory()
  const { now, monotonicNow } = context.host
  const work: Import = {
    source,
    service: { client, create, list, kind },
    place,
    profile: (await context.profile()).name,
    journals: {
      folder: journalFolder(directory),
      plain: journalFile(directory, place, file),
      ofAccount: journalFile(directory, place, file, place.account ?? ''),
    },
    settleMs: (options.settle ?? defaults.settleSeconds) * 1000,
    incomplete: options.incomplete ?? false,
    concurrency: options.concurrency ?? defaults.concurrency,
    now,
    clock: monotonicNow,
    signal: new AbortController().signal,
  }
  if (options.dryRun) return dryRun(context, await planImport(work))
  const lookup = await expectWrite(context, { target: verb.operation, operation: create, parameters: {} })
  // Two runs of one file would send it twice, and two files may hold the same person.
  const alone: LockOptions = { waitMs: 0, against: 'everybody' }
  const { origin, base } = place
  await withLock(
    `the import of ${file}`,
    () =>
      withLock(
        `an import of ${kind.noun} into ${origin}${base}`,
        () => run(context, work, file, options.rejects, lookup),
        alone,
      ),
    alone,
  )
}

async function run(
  context: Context,
  work: Import,
  file: string,
  rejectsFile: string | undefined,
  lookup: string,
): Promise<void> {
  const planned = await planImport(work)
  assertValid(planned)
  const { noun } = work.service.kind
  announce(context, planned, noun)
  // A row with an unknown outcome is sent again if it turns out not to exist.
  const most = planned.ready + planned.file.doubtful.size
  if (most > 0) await confirmWrite(context, `create ${counted(most, noun)}`)
  const rejects = await openRejects(work.source, file, rejectsFile)
  const progress = await watched(context, planned)
  const result = await runUntilSignal(
    context,
    (signal) => runImport({ ...work, signal }, planned, rejects, progress.onEvent).finally(progress.end),
    {
      asked: () =>
        context.warn(
          'stopping when the requests already sent have ended. Press Ctrl-C again to stop at once.',
        ),
      stopped: ({ summary }) => ({ says: sentence(summary), hint: `To continue: ${typedCommand(context)}` }),
    },
  )
  await answer(context, result.summary)
  const failure = failureOf(result, lookup)
  if (failure) throw failure
}

/** The real path of a file: by another name it is still the same import. */
async function realFile(given: string): Promise<string> {
  if (given === '-') {
    throw usage(
      'An import cannot read standard input, because it reads its input twice: save the rows in a file. Nothing was sent.',
    )
  }
  try {
    return await realpath(given)
  } catch (error) {
    throw usage(`${given} cannot be opened (${systemCode(error)}). Nothing was sent.`)
  }
}

function readingOptions(
  context: Context,
  type: RecordType,
  { map, dateFormat, encoding }: Options,
): Partial<SourceOptions> {
  return {
    map: columnMapFor(context, type, map),
    ...(dateFormat && { dateFormat }),
    ...(encoding !== undefined && { encoding }),
  }
}
