import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context/context.ts'
import { asFailure, declined, Failure, onFailure, usage } from '../../errors.ts'
import { parseJson } from '../../files/json/parse.ts'
import { type JsonObject, valueAt } from '../../files/json/path.ts'
import { stringifyJson } from '../../files/json/stringify.ts'
import { check } from '../../model/fields/check.ts'
import { fieldAt, leafFields } from '../../model/fields/field-tree.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import type { Bookmark, FormEnd } from '../../prompts/form/fill-form.ts'
import { foldMessage } from '../../render/text/fold-message.ts'
import type { GuardFinding } from '../../write/record-write.ts'
import type { Creation } from '../cli/create-request.ts'
import { nounOf } from '../cli/target.ts'
import { commandLine, creationWrite, lookupCommand } from './command-line.ts'
import { requireYes } from './confirm.ts'
import { judgeNew } from './create-guards.ts'
import { reportCreated, sendCreate } from './create-send.ts'
import { bodyOfDraft, describeDraft, localTime } from './describe-draft.ts'
import { askAboutGaps, printWarning } from './doubts.ts'
import {
  type Draft,
  deleteDraft,
  isOpen,
  newDraftId,
  type ReadDrafts,
  readDraft,
  readDrafts,
  withDraftLock,
  writeDraft,
} from './draft.ts'
import { dryRun, previewRequest } from './dry-run.ts'
import { assertSendable } from './input.ts'
import { formHost, openPrompts } from './open-prompts.ts'
import { assertUnique, referenceWatch } from './same-reference.ts'
import { type NotSent, saveToFile } from './save-to-file.ts'

/**
 * Creates one record by the form. The answers are on the disk until it is created. The form asks for
 * confirmation, so a protected profile does not. `given`: a record to start from; without it, drafts
 * are offered.
 */
export async function createByForm(
  context: Context,
  creation: Creation,
  given: JsonObject | undefined,
): Promise<void> {
  const { type } = creation
  if (given) assertSendable(given, check(type, given))
  const draft = given ? undefined : await offerDrafts(context, creation)
  if (draft) return resumeDraft(context, creation, draft.id)
  const { name, origin = null } = await context.profile()
  const fresh: Draft = {
    id: newDraftId(),
    operation: creation.operation.id,
    parameters: creation.parameters,
    profile: name,
    origin,
    changed: '',
    tool: '',
    // What the form does not ask for is not shown, and stays as it was given.
    before: type.documented ? {} : (given ?? {}),
    answers: answersIn(type, given ?? {}),
  }
  await withDraftLock(await context.directory(), fresh.id, async () =>
    runForm(context, creation, fresh, await openSession(context, fresh, false)),
  )
}

function answersIn(type: RecordType, given: JsonObject): Draft['answers'] {
  const values = leafFields(type.fields).map(({ path }) => [path, valueAt(given, path.split('.'))] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** Does what was chosen at the end of the form. A Failure says how to continue. */
async function runForm(
  context: Context,
  creation: Creation,
  draft: Draft,
  session: DraftSession,
): Promise<void> {
  const { fillForm } = await import('../../prompts/form/fill-form.ts')
  const { before, answers } = draft
  const resume = await commandLine(context, nounOf(creation.operation), 'drafts', 'resume', draft.id)
  const stopSaying = context.interruption.sayWhenStopped(() =>
    session.current() ? savedAnswers(resume) : undefined,
  )
  try {
    const end = await fillForm(await formHost(context, creation.options), creation.operation, {
      preview: (body) =>
        previewRequest(
          context,
          creation.operation,
          { parameters: creation.parameters, body },
          creation.options,
        ),
      before: Object.keys(before).length > 0 ? before : undefined,
      answers,
      place: draft,
      keep: (now, place) => session.keep(now, place),
      beforeSending: (body) => askBeforeSending(context, creation, body),
      doubtReference:
        creation.verb.unique && !creation.options.dryRun ? referenceWatch(context, creation) : undefined,
      get kept() {
        return session.current() ? savedAnswers(resume) : 'Nothing was saved.'
      },
    })
    await handleFormEnd(context, creation, end, session, resume)
  } catch (error) {
    if (!(error instanceof Failure) || !session.current()) throw error
    throw new Failure(error.code, error.message, { ...error.details, resume: savedAnswers(resume) })
  }
  stopSaying()
}

/** `command`: what resumes the draft. */
const savedAnswers = (command: string) => `Your answers are saved. To continue: ${command}`

async function handleFormEnd(
  context: Context,
  creation: Creation,
  end: FormEnd,
  session: DraftSession,
  resume: string,
): Promise<void> {
  const { operation, parameters, type, options, verb } = creation
  if (end.next === 'draft') {
    await session.keep(end.answers, { at: '' })
    const draft = session.current()
    context.note(
      draft ? `Saved as a draft. To continue: ${resume}` : 'You gave no answers, so nothing was saved.',
    )
    const saved: NotSent = { sent: false, draft: draft?.id ?? null }
    return context.output.record(saved)
  }
  const body = withoutEmptied(end.body)
  if (end.next === 'file') {
    const target = { target: verb.operation, operation, parameters, verb: ['create'] }
    await saveToFile(context, target, body, end.path)
    return session.remove()
  }
  assertSendable(body, check(type, body))
  if (options.dryRun) {
    await dryRun(context, operation, { parameters, body })
    if (session.current()) context.note(`Nothing was sent. To continue: ${resume}`)
    return
  }
  if (session.current()?.sent !== undefined) {
    const earlier = 'This record was sent before and may exist already.'
    await requireYes(context, `${earlier} Send it again?`, earlier, 'To send it again, add --yes.')
  }
  const record = await sent(context, creation, body, session)
  await reportCreated(context, creation, body, record, { isSeen: true })
}

/** The draft notes it beforehand, in case this run is killed, and is deleted once the record is created. */
async function sent(
  context: Context,
  creation: Creation,
  body: JsonObject,
  session: DraftSession,
): Promise<JsonObject | undefined> {
  const sentEarlier = session.current()?.sent
  await session.sent(new Date(context.host.now()).toISOString())
  let record: JsonObject | undefined
  try {
    record = await sendCreate(context, creation, body)
  } catch (error) {
    const outcome = error instanceof Failure ? error.details.outcome : 'unknown'
    if (outcome === 'refused' || outcome === 'not-sent') await session.sent(sentEarlier)
    throw error
  }
  await session
    .remove()
    .catch(
      onFailure(({ message }) =>
        context.warn(
          `the record was created, but its draft is still there: do not send it again. ${message}`,
        ),
      ),
    )
  return record
}

const withoutEmptied = (body: JsonObject): JsonObject => parseJson(stringifyJson(body)) as JsonObject

/** Paths to ask for again, none to go back to the record; undefined to send it. */
type AskedAgain = readonly string[] | undefined

/** Asks about a missing name, and about all that the guards find. Throws when the person stops. */
async function askBeforeSending(context: Context, creation: Creation, body: JsonObject): Promise<AskedAgain> {
  const { options, type } = creation
  const again = options.incomplete ? undefined : await askAboutGaps(context, type, body)
  if (again) return again
  if (options.unique) {
    const failure = await assertUnique(context, creation, body).then(() => undefined, asFailure)
    if (failure) return decide(context, failure.message, referenceIn(creation, failure))
  }
  for (const finding of await judgeNew(context, creation, body, 'form')) {
    const verdict = await askAbout(context, creation, finding)
    if (verdict) return verdict
  }
  return undefined
}

async function askAbout(context: Context, creation: Creation, finding: GuardFinding): Promise<AskedAgain> {
  switch (finding.does) {
    case 'warn':
      context.warn(finding.message)
      return undefined
    case 'hold':
      return decide(context, finding.failure.message, [])
    case 'doubt':
      return decide(context, `${finding.issue.message}.`, [], true)
    case 'ask':
      return decide(context, finding.warning, referenceIn(creation, finding.otherwise), true)
  }
}

/** The reference, where a failure is about it: another one may be free. */
const referenceIn = ({ type: { reference } }: Creation, { details: { issues = [] } }: Failure) =>
  issues.map(({ path }) => path).filter((path) => path === reference?.request)

async function decide(
  context: Context,
  message: string,
  paths: readonly string[],
  maySend = false,
): Promise<AskedAgain> {
  const { choose } = await openPrompts(context)
  await printWarning(context, message)
  const choice = await choose<'change' | 'back' | 'send' | 'stop'>({
    message: 'Send it?',
    choices: [
      ...(paths.length > 0 ? [{ value: 'change' as const, name: 'Change the reference' }] : []),
      {
        value: 'back',
        name:
          paths.length > 0 ? 'Back to the record' : 'Back to the record: try again, or keep it as a draft',
      },
      ...(maySend ? [{ value: 'send' as const, name: 'Send it anyway' }] : []),
      { value: 'stop', name: 'Stop, and send nothing' },
    ],
  })
  if (choice === 'stop') throw declined('Stopped.')
  if (choice === 'send') return undefined
  return choice === 'change' ? paths : []
}

/** Resumes a draft, as it is on the disk once no other run has it open. */
export async function resumeDraft(context: Context, creation: Creation, id: string): Promise<void> {
  const directory = await context.directory()
  await withDraftLock(directory, id, async () => {
    const draft = await readDraft(directory, id)
    if (!draft) throw usage(`The draft ${id} is gone: it was sent or deleted.`)
    await warnOfDoubt(context, creation, draft)
    await runForm(
      context,
      creation,
      withoutUnknownAnswers(context, creation, draft),
      await openSession(context, draft, true),
    )
  })
}

async function warnOfDoubt(context: Context, creation: Creation, draft: Draft): Promise<void> {
  if (draft.sent === undefined) return
  const command = await lookupCommand(context, creationWrite(creation, bodyOfDraft(draft)))
  context.warn(
    `this record was sent on ${localTime(draft.sent)} and may exist already. Check before you send it again: ${command}`,
  )
}

/** Without the answers to questions that this version of the tool does not ask. */
function withoutUnknownAnswers(context: Context, { type }: Creation, draft: Draft): Draft {
  const strange = Object.keys(draft.answers).filter((path) => type.documented && !fieldAt(type.fields, path))
  if (strange.length > 0)
    context.warn(
      `left out of the draft, because ${type.displayName} has no such field: ${strange.join(', ')}.`,
    )
  const answers = Object.entries(draft.answers).filter(([path]) => !strange.includes(path))
  return { ...draft, answers: Object.fromEntries(answers) }
}

/** Offers drafts of this kind that no other run has open; undefined to start a new record. */
async function offerDrafts(context: Context, creation: Creation): Promise<Draft | undefined> {
  const directory = await context.directory()
  // A folder that cannot be read gives a warning; a record can be created without it.
  const { drafts, warnings } = await readDrafts(directory).catch(
    onFailure(({ message }): ReadDrafts => ({ drafts: [], warnings: [message] })),
  )
  for (const warning of warnings) context.warn(warning)
  const { name, origin = null } = await context.profile()
  let left: Draft[] = []
  for (const draft of drafts) {
    const isOfThisKind = draft.operation === creation.operation.id && draft.profile === name
    const isForHere = draft.origin === origin && isDeepStrictEqual(draft.parameters, creation.parameters)
    if (isOfThisKind && isForHere && !(await isOpen(directory, draft.id))) left.push(draft)
  }
  if (left.length === 0) return undefined
  const { choose } = await openPrompts(context)
  const { stderr } = context.host
  while (left.length > 0) {
    const isOne = left.length === 1
    // A line of its own: as a question it would not fit a narrow screen.
    if (isOne)
      stderr.write(
        `${foldMessage(`There is a draft of ${left.map(describeDraft).join()}.`, stderr.columns)}\n`,
      )
    const named = (draft: Draft) => (isOne ? 'it' : describeDraft(draft))
    const chosen = await choose<{ readonly does: 'resume' | 'delete'; readonly draft: Draft } | undefined>({
      message: isOne ? 'Resume it?' : `There are ${left.length} drafts. Resume one?`,
      choices: [
        ...left.map((draft) => ({
          value: { does: 'resume' as const, draft },
          name: `Resume ${named(draft)}`,
        })),
        { value: undefined, name: `Start a new one and keep ${isOne ? 'this' : 'these'}` },
        ...left.map((draft) => ({
          value: { does: 'delete' as const, draft },
          name: `Delete ${named(draft)}`,
        })),
      ],
    })
    if (chosen?.does !== 'delete') return chosen?.draft
    await deleteDraft(directory, chosen.draft.id)
    context.note(`Deleted the draft of ${describeDraft(chosen.draft)}.`)
    left = left.filter((other) => other !== chosen.draft)
  }
  return undefined
}

/** The draft of a form that is open: on the disk as soon as there is an answer, and until the record is created. */
interface DraftSession {
  current(): Draft | undefined
  /** If answers cannot be written, the person is warned once, and the form goes on. */
  keep(answers: Draft['answers'], place: Bookmark): Promise<void>
  /** Who resumes the draft must check first; `undefined`, or the time of an earlier try, undoes it. */
  sent(at: string | undefined): Promise<void>
  remove(): Promise<void>
}

/** @param wasStored whether the draft is on the disk already */
async function openSession(context: Context, draft: Draft, wasStored: boolean): Promise<DraftSession> {
  const directory = await context.directory()
  let now = draft
  let isStored = wasStored
  let isTold = false
  return {
    current: () => (isStored ? now : undefined),
    async keep(answers, { at, typed: text }) {
      const typed = text || undefined
      const isSame = serialize(answers) === serialize(now.answers)
      if (isSame && (!isStored || (at === now.at && typed === now.typed))) return
      now = { ...now, answers, at, typed }
      if (Object.keys(answers).length > 0) await write()
      else if (isStored) await remove()
    },
    async sent(at) {
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
      if (!(error instanceof Failure)) throw error
      if (!isTold) context.warn(`your answers cannot be saved as a draft: ${error.message}`)
      isTold = true
    }
  }

  async function remove(): Promise<void> {
    await deleteDraft(directory, now.id)
    isStored = false
  }
}

/** Answers as text, to compare them: JSON alone has no `undefined`. */
const serialize = (answers: Draft['answers']) =>
  JSON.stringify(Object.entries(answers).map(([path, value]) => [path, value ?? null, value === undefined]))
