import type { WholeRecord } from '../../../api/whole-record.ts'
import type { Context } from '../../../context/context.ts'
import { asFailure, declined, Failure, usage } from '../../../errors.ts'
import { type JsonObject, valueAt } from '../../../files/json/path.ts'
import { neverReturned } from '../../../model/mapping/field-mapping.ts'
import { describeRecord } from '../../../model/mapping/record-name.ts'
import { maskedFields } from '../../../model/mapping/service-masks.ts'
import type { RecordType } from '../../../model/records/record-type.ts'
import { agree, asClause, nameSome, wordList } from '../../../text/words.ts'
import {
  type AtRisk,
  type EmptyFields,
  findAtRisk,
  notAllowable,
  type PartAtRisk,
  readEmptyFields,
  shortName,
} from '../../../write/at-risk.ts'
import type {
  Change,
  ChangeWriter,
  GuardFinding,
  RecordTarget,
  RowReason,
} from '../../../write/record-write.ts'
import type { Options } from '../../cli/options.ts'
import { commandLine } from '../command-line.ts'
import { openPrompts, serviceName } from '../open-prompts.ts'
import type { WriteSession } from './write-session.ts'

/** What an update may clear, once it is decided what the unknown fields are. */
export type DecidedRisk = Omit<AtRisk, 'unknownPay'>

/** Throws a usage failure for an --allow-missing that names neither a part of this record nor a field of its type. */
export function assertAllowable(
  type: RecordType,
  { allowMissing = [] }: Options,
  { record }: WholeRecord,
): void {
  const wrong = notAllowable(
    type,
    allowMissing.filter((name) => !Object.hasOwn(record, name)),
  )
  if (!wrong) return
  throw usage(
    `--allow-missing ${wrong.name} names no field or section that an update of ${type.displayName} waits for.`,
    `It takes a field that the record came back without, such as: ${wrong.allowable.join(', ')}`,
  )
}

/** Warns, before a form or an editor opens, of what the guards will ask about: it can still be entered there. */
export async function warnBeforeEditing(session: WriteSession, change: Change): Promise<DecidedRisk> {
  const { context } = session
  const { target, seen } = change
  const masked = maskedFields(target.type, seen.body)
  if (masked.length > 0) {
    context.warn(
      `the service masks these fields, so the update can be sent only if you enter them again: ${masked.join(', ')}.`,
    )
  }
  const atRisk = await decideAtRisk(session, change)
  warnShownEmpty(context, atRisk.blocking)
  await warnAtRisk(session, target, seen.body, atRisk)
  return atRisk
}

/**
 * Warns of what a change may clear, once for many rows, and asks about what blocks it. Holds it where nobody can be asked.
 * `decided`: what was found before a form opened.
 */
export async function guardAtRisk(
  session: WriteSession<ChangeWriter>,
  change: Change,
  decided?: DecidedRisk,
): Promise<readonly GuardFinding[]> {
  const { target, seen, wanted } = change
  const isGiven = (path: string) => valueAt(wanted, path) !== undefined
  const atRisk = decided ?? (await decideAtRisk(session, change, isGiven).catch(asFailure))
  if (atRisk instanceof Failure) {
    if (atRisk.code !== 'invalid-response') throw atRisk
    return [{ does: 'hold', failure: atRisk, reasons: [rowReasonOf(atRisk)] }]
  }
  await warnAtRisk(session, target, wanted, atRisk)
  const isSection = (path: string) => seen.sectionsNotReturned.includes(path)
  return questionsAbout(atRisk.blocking.filter(({ path }) => isSection(path) || !isGiven(path)))
}

/** Why a row is held back: nothing shows whether its record has no value in a field, or the service hides it. */
function rowReasonOf({ message, details: { issues = [], hint = '' } }: Failure): RowReason {
  const cause = 'what its record came back without is empty, or the service hides it'
  return { path: issues[0]?.path ?? '', message: `${asClause(message)}. ${hint}`.trim(), cause }
}

/** Finds what an update may clear. Asks once what unknown fields are, and throws exit 10 where nobody can be asked. */
async function decideAtRisk(
  { context, options, writer }: WriteSession<ChangeWriter>,
  { target, seen }: Pick<Change, 'target' | 'seen'>,
  isGiven: (path: string) => boolean = () => false,
): Promise<DecidedRisk> {
  const emptyFields = await emptyFieldsOf(context)
  const { blocking, unknownPay, unknownOther, otherSections } = await findAtRisk({
    target,
    client: await context.client(),
    whole: seen,
    isGiven,
    emptyFields,
    knowledge: await context.knowledge(),
    today: context.today(),
    isDryRun: options.dryRun === true,
  })
  // The error of an import names the rows itself, once for all that have the same reason.
  const isRow = writer === 'import update' && !context.interactive
  const who = isRow ? 'the record' : describeRecord(target.type, seen.record, target.id)
  const meaning: EmptyFields =
    unknownPay.length > 0 && emptyFields === 'ask'
      ? await decideUnknown(context, who, { blocking, unknownPay })
      : emptyFields
  return {
    blocking: meaning === 'hidden' ? [...blocking, ...unknownPay] : blocking,
    unknownOther: meaning === 'left-out' ? [] : unknownOther,
    otherSections,
  }
}

async function decideUnknown(
  context: Context,
  who: string,
  { blocking, unknownPay }: Pick<AtRisk, 'blocking' | 'unknownPay'>,
): Promise<EmptyFields> {
  const names = inWords(unknownPay.map(({ name }) => name))
  const without = `The service returned ${who} without ${names}`
  if (context.interactive) return askEmptyFields(context, without)
  throw new Failure('invalid-response', `${without}: they are empty, or it hides them.`, {
    outcome: 'not-sent',
    issues: [...blocking, ...unknownPay].map(({ path, why }) => ({ path, message: why })),
    hint: `Check whether the record has any: what is not sent may be cleared. To send it without, add ${allowOptions(unknownPay)}. ${await emptyFieldsHint(context)}`,
  })
}

const answers = new WeakMap<Context, EmptyFields>()

/** What an unknown field is, as the profile or the environment says. */
export async function emptyFieldsOf(context: Context): Promise<EmptyFields> {
  const { emptyFields: setting } = await context.profile()
  return answers.get(context) ?? (setting ? readEmptyFields(setting) : 'ask')
}

/** A hint with the command, or the variable, that sets it for good. */
async function emptyFieldsHint(context: Context): Promise<string> {
  const { kind, name } = await context.profile()
  const how =
    kind === 'stored'
      ? await commandLine(context, 'profiles', 'set', name, '--empty-fields', 'left-out')
      : 'set PAYROLL_EMPTY_FIELDS=left-out'
  return `If your service leaves out fields that are empty, set that once: ${how}`
}

/** Asks what unknown fields are, and keeps the answer in the profile. `without`: a sentence that names them. */
async function askEmptyFields(context: Context, without: string): Promise<EmptyFields> {
  const profile = await context.profile()
  context.warn(
    `${without}. Such fields are empty, or the service hides them; hidden ones may be emptied by this update.`,
  )
  const { choose } = await openPrompts(context)
  const answer = await choose<EmptyFields>({
    message: `Is a field empty that ${serviceName(profile)} does not show? Its own page of the record tells.`,
    choices: [
      { value: 'ask', name: 'I do not know: send nothing', codes: ['ask'] },
      { value: 'left-out', name: 'Yes, it is empty: go on, and do not ask again', codes: ['left-out'] },
      {
        value: 'hidden',
        name: 'No, it may be hidden: ask whenever pay depends on such a field',
        codes: ['hidden'],
      },
    ],
  })
  if (answer === 'ask') throw declined('Not sent. Find out what the missing field means, then run it again.')
  answers.set(context, answer)
  if (profile.kind !== 'stored') {
    context.note(`To keep this answer: PAYROLL_EMPTY_FIELDS=${answer}`)
    return answer
  }
  await context.changeProfile(profile.name, (keys) => ({
    ...keys,
    profile: { ...keys.profile, emptyFields: answer },
  }))
  context.note(
    `Kept in the profile ${profile.name}: payroll profiles set ${profile.name} --empty-fields ${answer}`,
  )
  return answer
}

/** A question for each part, which --yes does not answer: that means the write as it was typed. */
function questionsAbout(parts: readonly PartAtRisk[]): GuardFinding[] {
  if (parts.length === 0) return []
  const otherwise = new Failure(
    'invalid-response',
    `The service returned this record without ${inWords(parts.map(({ name }) => name))}.`,
    {
      outcome: 'not-sent',
      issues: parts.map(({ path, why }) => ({ path, message: why })),
      hint: `Check whether the record has any: what is not sent may be cleared. To send the update without, add ${allowOptions(parts)}`,
    },
  )
  return parts.map(({ path, name, why, option }) => ({
    does: 'ask',
    warning: `${path}: ${why}. The service may clear it.`,
    question: `Send it without ${name}?`,
    otherwise,
    reasons: [
      {
        path,
        message: `the service does not show ${name} (${why}), and this update may empty it: --allow-missing ${option} sends it all the same`,
      },
    ],
  }))
}

/** Warns of fields that a form or an editor shows empty although the record may have them. */
function warnShownEmpty(context: Context, parts: readonly PartAtRisk[]): void {
  for (const why of new Set(parts.map((each) => each.why))) {
    const names = parts.flatMap((each) => (each.why === why ? [each.name] : []))
    const them = agree(names.length, 'it')
    context.warn(
      `${inWords(names)} ${agree(names.length, 'is')} empty here, but ${why}: enter ${them} again, or you are asked about ${them}.`,
    )
  }
}

/**
 * Warns once of what may be cleared without a question. Also of each field that the service never returns, unless this
 * computer created the record and never sent the field.
 */
async function warnAtRisk(
  { context, said }: Pick<WriteSession, 'context' | 'said'>,
  { type, id }: RecordTarget,
  body: JsonObject,
  { unknownOther, otherSections }: Pick<DecidedRisk, 'unknownOther' | 'otherSections'>,
): Promise<void> {
  const isNew = (path: string) => !said.has(path)
  const lacking = neverReturned(type).filter((path) => valueAt(body, path) === undefined && isNew(path))
  if (lacking.length + otherSections.length + unknownOther.length === 0) return
  const sent = await (await context.knowledge()).sentFor(type, id)
  const mayHave = (path: string) => !sent?.created || sent.ever(path)
  // Sections come first, and all are named: of many fields the last may only be counted. Another record, which is looked
  // at together with this one, may have been warned of meanwhile.
  const named = [...otherSections, ...lacking.filter(mayHave)].filter(isNew)
  const paths = [...named, ...unknownOther.filter(isNew)]
  if (paths.length === 0) return
  for (const path of paths) said.add(path)
  const names = paths.map((path) => shortName(type, path))
  context.warn(
    `the service does not return these fields, and may clear those not given: ${nameSome(names, Math.max(named.length, 5))}.`,
  )
}

const inWords = (names: readonly string[]) => wordList(names, 'and')

const allowOptions = (parts: readonly PartAtRisk[]) =>
  parts.map(({ option }) => `--allow-missing ${option}`).join(' ')
