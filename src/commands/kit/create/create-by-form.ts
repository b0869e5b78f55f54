import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../context/context.ts'
import { asFailure, declined, Failure, onFailure, usage } from '../../../errors.ts'
import { parseJson } from '../../../files/json/parse.ts'
import { type JsonObject, valueAt } from '../../../files/json/path.ts'
import { stringifyJson } from '../../../files/json/stringify.ts'
import { leafFields } from '../../../model/fields/field-tree.ts'
import type { RecordType } from '../../../model/records/record-type.ts'
import { checkRecord } from '../../../model/resources/check-record.ts'
import { warnings } from '../../../model/standards/warnings.ts'
import type { FormEnd } from '../../../prompts/form/fill-form.ts'
import { bodyIn } from '../../../prompts/form/form.ts'
import { capital } from '../../../text/words.ts'
import type { GuardFinding } from '../../../write/record-write.ts'
import type { Creation, ReadyCreation } from '../../cli/create-request.ts'
import { nounOf } from '../../cli/target.ts'
import { commandLine, lookUpCommand, lookUpOf, placeFlags } from '../command-line.ts'
import { requireYes } from '../confirm.ts'
import { askAboutGaps, printWarning } from '../doubts.ts'
import { dryRun } from '../dry-run.ts'
import { assertSendable } from '../input.ts'
import { formHost, openPrompts } from '../open-prompts.ts'
import { askGuards } from './ask-guards.ts'
import { describeDraft, localTime, type NotSent } from './describe-draft.ts'
import {
  type Draft,
  deleteDraft,
  isDraftOpen,
  newDraftId,
  type ReadDrafts,
  readDraft,
  readDrafts,
  withDraftLock,
  writeDraft,
} from './draft.ts'
import { reportCreated, sendCreate } from './send-create.ts'

/** Creates a record by the form, which asks before it sends. `record`: a record to start from; else drafts are offered. */
export async function createByForm(
  context: Context,
  creation: Creation,
  record: JsonObject | undefined,
): Promise<void> {
  const { type } = creation
  if (record) assertSendable(record, checkRecord(type, record))
  const draft = record ? undefined : await offerDrafts(context, creation)
  if (draft) return resumeDraft(context, creation, draft.id)
  const { name, origin = null } = await context.profile()
  const fresh: Draft = {
    id: newDraftId(),
    operation: creation.operation.id,
    profile: name,
    origin,
    changed: '',
    tool: '',
    // Of a kind that is not documented, the form keeps what it does not ask for.
    before: type.documented ? {} : (record ?? {}),
    answers: answersIn(type, record ?? {}),
  }
  await withDraftLock(await context.directory(), fresh.id, () => runForm(context, creation, fresh))
}

function answersIn(type: RecordType, record: JsonObject): Draft['answers'] {
  const values = leafFields(type.fields).map(({ path }) => [path, valueAt(record, path)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** Goes on with a draft. It is read after the lock is taken, because another run may have changed it. */
async function resumeDraft(context: Context, creation: Creation, id: string): Promise<void> {
  const directory = await context.directory()
  await withDraftLock(directory, id, async () => {
    const draft = await readDraft(directory, id)
    if (!draft) throw usage(`The draft ${id} is gone: it was sent or deleted.`)
    if (draft.sent !== undefined) {
      const command = await lookUpCommand(
        context,
        lookUpOf({ ...creation, body: bodyIn({ type: creation.type, ...draft }) }),
      )
      context.warn(
        `this record was sent on ${localTime(draft.sent)} and may exist already. Check before you send it again: ${command}`,
      )
    }
    await runForm(context, creation, draft)
  })
}

interface FormRun {
  readonly context: Context
  readonly creation: Creation
  readonly saved: SavedDraft
  /** The command that offers its draft. */
  readonly resume: string
}

/** Opens the form, and does what is chosen at its end. A Failure says how to continue. */
async function runForm(context: Context, creation: Creation, draft: Draft): Promise<void> {
  const { fillForm } = await import('../../../prompts/form/fill-form.ts')
  const { operation, options } = creation
  const saved = await openDraft(context, draft)
  const flags = await placeFlags(context, creation)
  const resume = await commandLine(context, nounOf(operation), 'create', ...flags)
  const sayWhereSaved = () => (saved.current() ? `Your answers are saved. To continue: ${resume}` : undefined)
  const stopSaying = context.interruption.sayWhenStopped(sayWhereSaved)
  try {
    const end = await fillForm(await formHost(context, operation, options), operation, {
      before: Object.keys(draft.before).length > 0 ? draft.before : undefined,
      answers: draft.answers,
      isResumed: wasStored(draft),
      keep: saved.keep,
      beforeSending: (body) => askBeforeSending(context, { ...creation, body }),
      get kept() {
        return sayWhereSaved() ?? 'Nothing was saved.'
      },
    })
    await endForm({ context, creation, saved, resume }, end)
  } catch (error) {
    const resumed = sayWhereSaved()
    if (!(error instanceof Failure) || resumed === undefined) throw error
    throw error.with({ resume: resumed })
  }
  stopSaying()
}

async function endForm(form: FormRun, end: FormEnd): Promise<void> {
  const { context, creation, saved, resume } = form
  const { operation, parameters, type, options } = creation
  if (end.next === 'draft') {
    const draft = saved.current()
    context.note(
      draft
        ? `Nothing was sent. Saved as a draft. To continue: ${resume}`
        : 'You gave no answers, so nothing was saved.',
    )
    const report: NotSent = { sent: false, draft: draft?.id ?? null }
    return context.output.record(report)
  }
  // As JSON will carry it: a field that was emptied is absent.
  const body = parseJson(stringifyJson(end.body)) as JsonObject
  assertSendable(body, checkRecord(type, body))
  if (options.dryRun) {
    const doubts = warnings(type, body, context.today(), await context.facts())
    await dryRun(context, operation, { parameters, body }, { doubts })
    if (saved.current()) context.note(`Nothing was sent. To continue: ${resume}`)
    return
  }
  if (saved.current()?.sent !== undefined) {
    const earlier = 'This record was sent before and may exist already.'
    await requireYes(context, `${earlier} Send it again?`, earlier, 'To send it again, add --yes.')
  }
  const ready = { ...creation, body }
  const record = await sendDraft(form, ready)
  await reportCreated(context, { creation: ready, record, doubts: [], isSeen: true })
}

/** Sends the record. Its draft says so beforehand, in case this run is killed, and is deleted once the record is created. */
async function sendDraft(
  { context, saved }: FormRun,
  creation: ReadyCreation,
): Promise<JsonObject | undefined> {
  const sentEarlier = saved.current()?.sent
  await saved.noteSent(new Date(context.host.now()).toISOString())
  const record = await sendCreate(context, creation).catch(async (error: unknown) => {
    const outcome = error instanceof Failure ? error.details.outcome : 'unknown'
    if (outcome === 'refused' || outcome === 'not-sent') await saved.noteSent(sentEarlier)
    throw error
  })
  const sayItStays = ({ message }: Failure) =>
    context.warn(`the record was created, but its draft is still there: do not send it again. ${message}`)
  await saved.remove().catch(onFailure(sayItStays))
  return record
}

/** Paths to ask for again, none to go back to the record; undefined to send it. */
type NextStep = readonly string[] | undefined

/** Asks about missing fields and about everything that the guards find. Throws when the person stops. */
async function askBeforeSending(context: Context, creation: ReadyCreation): Promise<NextStep> {
  const { options, type, body } = creation
  const again = options.incomplete ? undefined : await askAboutGaps(context, type, body)
  if (again) return again
  for (const finding of await askGuards(context, creation, 'form')) {
    const decided = await askWhatNext(context, creation, finding)
    if (decided) return decided
  }
  return undefined
}

/** What a finding says, and how a script would end. */
function saidBy(finding: GuardFinding): readonly [message: string, failure?: Failure] {
  if (finding.does === 'hold') return [finding.failure.message, finding.failure]
  if (finding.does === 'ask') return [finding.warning, finding.otherwise]
  if (finding.does === 'warn') return [capital(finding.message)]
  return [`${finding.issue.message}.`]
}

/** Where a finding is about the reference, another one may be free. */
async function askWhatNext(
  context: Context,
  { type: { reference } }: Creation,
  finding: GuardFinding,
): Promise<NextStep> {
  const { choose } = await openPrompts(context)
  const [message, failure] = saidBy(finding)
  await printWarning(context, message)
  const { issues = [] } = failure?.details ?? {}
  const isAboutReference = issues.some(({ path }) => path === reference)
  const choice = await choose<NextStep | 'stop'>({
    message: 'Send it?',
    choices: [
      ...(isAboutReference && reference ? [{ value: [reference], name: 'Change the reference' }] : []),
      { value: [], name: 'Back to the record' },
      ...(finding.does === 'hold' ? [] : [{ value: undefined, name: 'Send it anyway' }]),
      { value: 'stop', name: 'Stop, and send nothing' },
    ],
  })
  if (choice === 'stop') throw declined('Stopped.')
  return choice
}

/** Offers drafts of this kind that no other run has open; undefined to start a new record. */
async function offerDrafts(context: Context, creation: Creation): Promise<Draft | undefined> {
  const directory = await context.directory()
  // A folder that cannot be read causes only a warning, because a record can be created without drafts.
  const { drafts, warnings } = await readDrafts(directory).catch(
    onFailure(({ message }): ReadDrafts => ({ drafts: [], warnings: [message] })),
  )
  for (const warning of warnings) context.warn(warning)
  const { name, origin = null } = await context.profile()
  const draftsLeft: Draft[] = []
  for (const draft of drafts) {
    // Another profile may be another company: going on with its draft would create the person there.
    const isMeant = draft.operation === creation.operation.id && draft.profile === name
    if (isMeant && draft.origin === origin && !(await isDraftOpen(directory, draft.id)))
      draftsLeft.push(draft)
  }
  if (draftsLeft.length === 0) return undefined
  const { choose } = await openPrompts(context)
  return choose<Draft | undefined>({
    message: 'Resume a draft?',
    choices: [
      ...draftsLeft.map((draft) => ({ value: draft, name: `Resume ${describeDraft(draft)}` })),
      { value: undefined, name: 'Start a new one, and keep what is there' },
    ],
  })
}

/** Whether a draft comes from the disk: a new one was not written yet. */
const wasStored = ({ changed }: Draft) => changed !== ''

type SavedDraft = Awaited<ReturnType<typeof openDraft>>

/** Opens the draft of a form. It is on the disk from the first answer until the record is created. */
async function openDraft(context: Context, draft: Draft) {
  const directory = await context.directory()
  let now = draft
  let isStored = wasStored(draft)
  let isTold = false
  return {
    /** The draft; undefined while it is not on the disk. */
    current: () => (isStored ? now : undefined),
    /** Saves the answers. If that fails, the person is warned once, and the form goes on. */
    async keep(answers: Draft['answers']): Promise<void> {
      if (isDeepStrictEqual(answers, now.answers)) return
      now = { ...now, answers }
      if (Object.keys(answers).length > 0) await write()
      else if (isStored) await remove()
    },
    /** Notes when the record was sent, so that a person who resumes the draft checks first; undefined takes it back. */
    async noteSent(at: string | undefined): Promise<void> {
      const { sent, ...others } = now
      now = at === undefined ? others : { ...others, sent: at }
      await write()
    },
    remove,
  }

  async function write(): Promise<void> {
    now = { ...now, changed: new Date(context.host.now()).toISOString(), tool: context.version }
    try {
      await writeDraft(directory, now)
      isStored = true
    } catch (error) {
      const { message } = asFailure(error)
      if (!isTold) context.warn(`your answers cannot be saved as a draft: ${message}`)
      isTold = true
    }
  }

  async function remove(): Promise<void> {
    await deleteDraft(directory, now.id)
    isStored = false
  }
}
