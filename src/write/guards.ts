import { isDeepStrictEqual } from 'node:util'
import { answeredIds, otherReference } from '../api/outcome/same-record.ts'
import type { WholeRecord } from '../api/whole-record.ts'
import { Failure, type FailureDetails, invalidInput, joinHints } from '../errors.ts'
import { type JsonObject, valueAt } from '../files/json/path.ts'
import { fieldAtPlace } from '../model/fields/field-tree.ts'
import { answeredValue } from '../model/mapping/field-mapping.ts'
import { mapRecord } from '../model/mapping/map-record.ts'
import { describeRecord, labelOf, properName } from '../model/mapping/record-name.ts'
import { maskedFields } from '../model/mapping/service-masks.ts'
import { hasKey, keyPath, readKey, readListedKey, textsDiffer } from '../model/natural-key.ts'
import { isBankField } from '../model/records/bank-fields.ts'
import { idText } from '../model/records/identity.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { addedWarnings, warnings } from '../model/standards/warnings.ts'
import { compareStored, type Difference, differences, isStoredAlike } from '../model/values/compare-stored.ts'
import { describeLikeness, ownNumber } from '../model/values/person-likeness.ts'
import { formatChange } from '../render/text/format-change.ts'
import { agree, wordList } from '../text/words.ts'
import { birthdayPath } from './owner-signs.ts'
import type {
  Change,
  ChangeWriter,
  Check,
  Circumstances,
  CommonCircumstances,
  Guard,
  GuardFinding,
  RecordTarget,
  RecordWrite,
  RowReason,
  Stage,
  WantedBy,
  WantedCircumstances,
  Writer,
  WrittenField,
} from './record-write.ts'

const changeWriters: readonly ChangeWriter[] = ['update', 'undo', 'import update']
const onlyUndo = { for: ['undo'], why: 'nothing else takes an earlier write back' } as const
const newWriters = ['create', 'form', 'import create'] as const
const keepsReference = 'a row is found by its reference, which stays'

const ofChange =
  <Known>(check: Check<Change, Known>): Check<RecordWrite, Known> =>
  (write, ...more) =>
    write.kind === 'change' ? check(write, ...more) : undefined

/** A guard of a record as it is wanted, which may ask what all its writers know. */
function ofWanted<W extends Writer>({
  check,
  ...guard
}: Guard<WantedBy[W]> & { readonly for: readonly W[] }): Guard<Circumstances['wanted']> {
  const isAsked = (known: Circumstances['wanted']): known is WantedBy[W] =>
    guard.for.some((writer) => writer === known.writer)
  return { ...guard, check: (write, known, now) => (isAsked(known) ? check(write, known, now) : undefined) }
}

/** Everything that is asked between a write and its request, in this order; for which writers, and why no others. */
export const guards: { readonly [S in Stage]: Readonly<Record<string, Guard<Circumstances[S]>>> } = {
  read: {
    'same owner': { ...onlyUndo, check: ofChange(findOtherOwner) },
    'right record': { for: changeWriters, check: ofChange(findWrongRecord) },
    'fits a request': {
      for: changeWriters,
      check: ofChange(({ target, seen }) => findMisfits(target, seen)),
    },
    'unchanged since': { ...onlyUndo, check: ofChange(findChangedSince) },
  },
  wanted: {
    'right person': ofWanted({
      for: ['import update'],
      why: 'a person sees the one record, and an undo has the digests of its entry',
      check: ofChange(findOtherPerson),
    }),
    'as planned': ofWanted({
      for: ['import update', 'import create'],
      why: 'only an import takes a plan',
      check: findUnplanned,
    }),
    'bank details': ofWanted({
      for: ['import update'],
      why: 'in every other write a person sees them, old beside new',
      check: ofChange(findBankDetails),
    }),
    doubts: ofWanted({
      for: ['update', 'import update', 'create'],
      why: 'what an undo brings back was asked about then, and a form and a row doubt each value as it is read',
      check: findDoubts,
    }),
    masks: ofWanted({ for: changeWriters, check: ofChange(findMasks) }),
    'at risk': ofWanted({
      for: changeWriters,
      check: ofChange((write, { findAtRisk }) => findAtRisk(write)),
    }),
    'not sent back': ofWanted({ for: changeWriters, check: ofChange(findNotSentBack) }),
    'same reference': ofWanted({
      for: ['update', 'undo', ...newWriters],
      why: keepsReference,
      check: findSameReference,
    }),
    'old reference': ofWanted({
      for: ['update', 'undo'],
      why: keepsReference,
      check: ofChange(findOldReference),
    }),
    'same person': ofWanted({
      for: ['update', 'import update', ...newWriters],
      why: 'an undo brings back what the record had',
      check: findSamePerson,
    }),
    'whose work': ofWanted({
      for: ['update', 'import update', ...newWriters],
      why: 'an undo brings back the person that the record had',
      check: findWorkOfOther,
    }),
    'other name': ofWanted({
      for: ['import create'],
      why: 'the name of a single record was typed for it, and a row of --update is found by its name',
      check: findOtherName,
    }),
    overlaps: ofWanted({
      for: ['update', ...newWriters],
      why: 'an undo brings back the days that the record had, and a row is found by its days, which stay',
      check: findOverlapping,
    }),
  },
  'read again': {
    'still fits a request': {
      for: changeWriters,
      check: ofChange(({ target, seen }, _, now = seen) => findMisfits(target, now)),
    },
    'unchanged meanwhile': { for: changeWriters, check: ofChange(findChangedMeanwhile) },
  },
}

/** Runs the guards of a stage until one holds the write back. `now` is the record of a change as it was last read. */
export async function runGuards<S extends Stage>(
  write: RecordWrite,
  stage: S,
  circumstances: Circumstances[S],
  now?: WholeRecord,
): Promise<readonly GuardFinding[]> {
  const { writer } = circumstances
  const findings: GuardFinding[] = []
  for (const guard of Object.values(guards[stage])) {
    if (!guard.for.includes(writer)) continue
    const check = async () => guard.check(write, circumstances, now)
    const found = await check().catch((error) => askInstead(error, writer, findings))
    findings.push(...(found ?? []))
    // Later guards may rely on what this one found wrong.
    if (findings.some(({ does }) => does === 'hold')) break
  }
  return findings
}

/** Asks about a guard that cannot find out, after a form: its answers would be lost. Any other write ends there. */
function askInstead(
  error: unknown,
  writer: Writer,
  before: readonly GuardFinding[],
): readonly GuardFinding[] {
  if (writer !== 'form' || !(error instanceof Failure) || error.details.declined) throw error
  // Two guards may read one list: it is asked about once.
  if (before.some((each) => each.does === 'ask' && each.otherwise === error)) return []
  return [{ does: 'ask', warning: error.message, question: 'Create it anyway?', otherwise: error }]
}

const wrongRow = (reason: RowReason) => ({ stopsFile: true, reasons: [reason] }) as const

const stopFile = (reason: RowReason): readonly GuardFinding[] => [
  { does: 'hold', failure: invalidInput(`${reason.message}.`, [reason]), ...wrongRow(reason) },
]

const askOrStopFile = (reason: RowReason, says: string, hint?: string): readonly GuardFinding[] => [
  {
    does: 'ask',
    warning: `${reason.message}.`,
    question: 'Send it anyway?',
    otherwise: invalidInput(says, [reason], hint),
    ...wrongRow(reason),
  },
]

const holdWrite = (
  code: 'invalid-response' | 'refused',
  message: string,
  { reason, ...more }: Pick<FailureDetails, 'issues' | 'hint'> & { readonly reason?: RowReason | undefined },
): readonly GuardFinding[] => [
  {
    does: 'hold',
    failure: new Failure(code, message, { outcome: 'not-sent', ...more }),
    reasons: reason && [reason],
  },
]

const lookHint = async ({ lookUpCommand }: RecordTarget) =>
  `To see what it returned: ${await lookUpCommand('--json')}`

/** Holds a change of a record with fields that a request has no place for (exit 10): they would be lost. */
async function findMisfits(
  target: RecordTarget,
  { misfits, extras }: WholeRecord,
): Promise<readonly GuardFinding[]> {
  if (misfits.length === 0) return []
  const names = misfits.map(({ path }) => path)
  const them = wordList(names, 'and')
  const isOfExtras = names.every((path) => extras.includes(path))
  const again = isOfExtras && target.repeatCommand?.(...names.flatMap((path) => ['--allow-missing', path]))
  return holdWrite(
    'invalid-response',
    `The service shows ${target.id} in a form that payroll cannot send back without losing part of it.`,
    {
      issues: misfits,
      hint: joinHints(again ? `To send it without ${them}: ${again}` : undefined, await lookHint(target)),
      reason: isOfExtras
        ? {
            path: '',
            message: `the service has more of it than payroll can send back (${them}), so that this may be lost: ${names.map((path) => `--allow-missing ${path}`).join(' ')} sends it all the same`,
            way: names.map((path) => `--allow-missing=${path}`),
          }
        : undefined,
    },
  )
}

/** Warns of the fields that somebody allowed to be lost. */
function findNotSentBack({ target: { type }, seen: { extras } }: Change): readonly GuardFinding[] {
  if (extras.length === 0) return []
  const [has, is] = [agree(extras.length, 'has'), agree(extras.length, 'is')]
  const message = `${wordList(extras, 'and')} ${has} no place in ${type.displayName}, and ${is} not sent back.`
  return [{ does: 'warn', topic: 'not sent back', message }]
}

/**
 * Holds a change if the record may not be the one that was meant (exit 10). If it was looked up by its key and shows a
 * key, that must be the same. A record without an id must match the list's record under that id: the same reference, or
 * both names the same, and no field that both have may differ. (An answer with another id was refused when it came.)
 */
async function findWrongRecord(
  { target, typed, key, seen }: Change,
  { findListed }: Circumstances['read'],
): Promise<readonly GuardFinding[]> {
  const { type, id } = target
  const { record, body } = seen
  const ownKey = key && readListedKey(record, key)
  const hint = await lookHint(target)
  const hasName = key !== undefined && hasKey(record, key, typed)
  if (!hasName && ownKey !== undefined) {
    return holdWrite(
      'invalid-response',
      `In the list ${typed} is ${id}, but the record that the service returned for ${id} is ${ownKey}.`,
      { hint },
    )
  }
  const isProved = findListed === 'proved by key'
  if (answeredIds(type, record).length > 0 || (hasName && isProved)) return []
  const items = isProved ? [] : await findListed((item) => answeredIds(type, item).includes(id))
  const [item] = items
  if (item && items.length === 1 && isSameRecord(type, item, record, body)) return []
  const why = item ? 'is not what the list has under this id' : 'nothing else shows which record it is'
  return holdWrite('invalid-response', `The answer for ${id} has no id, and ${why}.`, {
    issues: seen.misfits,
    hint,
  })
}

function isSameRecord(type: RecordType, item: JsonObject, record: JsonObject, body: JsonObject): boolean {
  const names = properName(type)
  const isNamed = type.reference ? isSame(type.reference) : undefined
  const hasBothNames = names.length > 0 && names.every((path) => isSame(path) === true)
  const differs = differences(mapRecord(type, item).body, body).some(
    (each) => each.before !== undefined && each.after !== undefined,
  )
  return (isNamed ?? hasBothNames) && !differs

  /** Whether both have the same text; undefined where one of them lacks it. */
  function isSame(path: string): boolean | undefined {
    const [inList, text] = [item, record].map((each) => idText(answeredValue(type, each, path)))
    if (inList === undefined || text === undefined) return undefined
    return otherReference(inList, text) === undefined
  }
}

/**
 * Holds an undo if the record now belongs to somebody else (exit 6): services reuse ids, and the history may
 * be of another service. The record must have the same reference, and no other birthday or number.
 */
async function findOtherOwner({ target, seen, undoes }: Change): Promise<readonly GuardFinding[]> {
  const wrong = (undoes?.ownerSigns ?? []).filter(({ allowed, signIn, isNeeded }) => {
    const sign = signIn(seen.bodyWithNulls)
    return sign === undefined ? isNeeded : !allowed.has(sign)
  })
  if (wrong.length === 0) return []
  const what = wordList(
    wrong.map(({ label }) => label),
    'and',
  )
  return holdWrite(
    'refused',
    `${describeRecord(target.type, seen.record, target.id)} is not the record that was changed: its ${what} ${wrong.length === 1 ? 'is not that' : 'are not those'} of the entry.`,
    {
      issues: wrong.map(({ path }) => ({ path, message: 'is another one than when it was written' })),
      hint: `Look at the record: ${await target.lookUpCommand()}`,
    },
  )
}

/**
 * Holds an undo unless the record is as the undone writes left it: exit 6 if somebody changed it since, exit
 * 10 if the record does not show it.
 */
async function findChangedSince(
  { target, seen, undoes }: Change,
  { reveal }: Circumstances['read'],
): Promise<readonly GuardFinding[]> {
  if (!undoes) return []
  const subject = describeRecord(target.type, seen.record, target.id)
  const states = undoes.writtenFields.map((field) => ({
    ...field,
    ...compareWrittenField(target.type, seen, field),
  }))
  const notReturned = states.filter(({ state }) => state === 'not returned')
  if (notReturned.length > 0) {
    return holdWrite(
      'invalid-response',
      `The service does not show all that ${undoes.ids[0]} changed of ${subject}, so whether it is still so is unknown.`,
      {
        issues: notReturned.map(({ path }) => ({ path, message: 'is not shown by the service' })),
        hint: `Look at the record as it is now: ${await target.lookUpCommand()}`,
      },
    )
  }
  const other = states.filter(({ state }) => state === 'other')
  if (other.length === 0) return []
  return holdWrite('refused', `${subject} does not have what ${undoes.ids[0]} sent.`, {
    issues: other.map(({ path, to, now }) => ({
      path,
      message: `somebody has changed it since that write, or the service stores it otherwise: ${formatChange({ path, before: to[0], after: now }, reveal)}`,
    })),
    hint: `Look at the record as it is now: ${await target.lookUpCommand()}`,
  })
}

/** Compares a field with what writes stored in it: it has that, the value before, another one, or was not returned. */
export function compareWrittenField(
  type: RecordType,
  { body, ...mapped }: WholeRecord,
  { path, from, to }: WrittenField,
): { readonly state: 'as written' | 'before' | 'other' | 'not returned'; readonly now: Difference['after'] } {
  const now = valueAt(body, path)
  const compare = (after: Difference['after']) =>
    compareStored(type, [{ path, before: from, after }], body, { body, ...mapped })
  const isOther = (sent: Difference['after']) =>
    compare(sent).other.some(
      ({ before, after, isAlike }) => !isAlike || !isStoredAlike(type, path, before, after, 'by a program'),
    )
  for (const each of to) {
    const { old, notReturned } = compare(each)
    if (notReturned.length > 0) return { state: 'not returned', now }
    if (old.length > 0) return { state: 'before', now }
    if (!isOther(each)) return { state: 'as written', now }
  }
  return { state: isOther(from) ? 'other' : 'before', now }
}

/**
 * Holds a row that seems to be about another person. Two different values among forename, surname and birthday are no
 * corrections, and stop the file (exit 3). With other bank details one different name is enough to hold the row (exit
 * 6): the pay would go to the person of the row.
 */
function findOtherPerson({ target: { type }, seen, row, changes }: Change): readonly GuardFinding[] {
  if (!row) return []
  const differs = (path: string) => textsDiffer(valueAt(row, path), valueAt(seen.body, path))
  const names = properName(type).filter(differs).length
  const isOtherDay = differs(birthdayPath)
  const isBank = changes.some(({ path }) => isBankField(type, path))
  const [theirs, ours = 'another name'] = [labelOf(type, seen.body), labelOf(type, row)]
  const message = (beside: string) =>
    `it is ${theirs} on the service, and the row says ${ours}${beside}: is the reference right?`
  const path = type.reference ?? ''
  if (names + Number(isOtherDay) > 1) return stopFile({ path, message: message('') })
  if (names === 0 || !isBank) return []
  const beside = ', with other bank details'
  const says = `${message(beside)} If it is, change the name first and the bank details after it`
  const cause = `it is another name on the service than in the row${beside}: is the reference right?`
  return holdWrite('refused', `${says}.`, { reason: { path, message: says, cause } })
}

/** Asks about changes of bank details in an import. A script needs --bank for them (exit 6). */
function findBankDetails(
  { target: { type, id }, seen, changes }: Change,
  { mayChangeBank }: WantedBy['import update'],
): readonly GuardFinding[] {
  const paths = changes.flatMap(({ path }) => (isBankField(type, path) ? [path] : []))
  if (mayChangeBank || paths.length === 0) return []
  const whose = describeRecord(type, seen.record, id)
  const message = 'bank details change only with --bank, so the whole row is held back'
  // An import asks once for all rows.
  const reasons = paths.map((path) => ({ path, message, way: '--bank' }))
  const otherwise = new Failure('refused', `The bank details of ${whose} would change.`, {
    outcome: 'not-sent',
    issues: reasons,
  })
  return [
    {
      does: 'ask',
      warning: otherwise.message,
      question: `Change the bank details of ${whose} too?`,
      otherwise,
      reasons,
    },
  ]
}

/** A write that the plan does not have with the same reference, field, old and new value is not sent (exit 6). */
function findUnplanned(
  write: RecordWrite,
  { whyUnplanned }: Pick<WantedCircumstances, 'whyUnplanned'>,
): readonly GuardFinding[] {
  const unplanned = whyUnplanned()
  if (!unplanned) return []
  const { target } = write
  const whose =
    write.kind === 'create'
      ? 'The new record'
      : describeRecord(target.type, write.seen.record, write.target.id)
  return holdWrite('refused', `${whose} is not as planned: ${unplanned.why}.`, {
    reason: {
      path: '',
      message: `it is not as planned: ${unplanned.why}`,
      cause: `it is not as planned: ${unplanned.cause}`,
    },
  })
}

/** A mask is not sent back as a value (exit 10), unless it was given in this run. */
async function findMasks({
  target,
  seen,
  wanted,
  givenValues = {},
  undoes,
}: Change): Promise<readonly GuardFinding[]> {
  const masks = maskedFields(target.type, undoes ? wanted : seen.body).filter((path) => {
    if (undoes) return true
    const isUntouched = isDeepStrictEqual(valueAt(seen.body, path), valueAt(wanted, path))
    return isUntouched && valueAt(givenValues, path) === undefined
  })
  if (masks.length === 0) return []
  const sets = masks.flatMap((path) => ['--set', `${path}=…`])
  const again = undoes ? await target.updateCommand?.(...sets) : target.repeatCommand?.(...sets)
  const what = undoes
    ? 'To send the old values yourself, give the real ones'
    : 'To send the update, give the real value'
  return holdWrite(
    'invalid-response',
    `The service shows a mask, or no real value, in ${masks.join(', ')} of this record; sending ${agree(masks.length, 'it')} back would overwrite what it has.`,
    {
      issues: masks.map((path) => ({
        path,
        message: 'came back as a mask, or as what no real value can be',
      })),
      hint: again ? `${what}: ${again}` : `Give the real value in the file.`,
    },
  )
}

/** The reference, or the key of several fields, that a write sets; undefined where it stays. */
function newReference(write: RecordWrite): string | undefined {
  if (write.kind === 'create' && write.key !== undefined) return write.key
  const path = write.target.type.reference
  const isNew = write.kind === 'create' || write.changes.some((each) => each.path === path)
  return path !== undefined && isNew ? readKey(write.wanted, [path]) : undefined
}

function findSameReference(write: RecordWrite, { findTaken }: Pick<WantedCircumstances, 'findTaken'>) {
  const reference = newReference(write)
  return reference === undefined ? undefined : findTaken(reference)
}

/** Asks about somebody whom the service has already: a person would be there twice, or two would have one number. */
async function findSamePerson(
  write: RecordWrite,
  { findAlike }: Pick<WantedCircumstances, 'findAlike'>,
): Promise<readonly GuardFinding[]> {
  const { type } = write.target
  const number = ownNumber(type)
  if (write.kind === 'change' && !write.changes.some(({ path }) => path === number?.path)) return []
  const alike = await findAlike()
  if (!alike) return []
  const { likeness, certainty, isAsked, mine, theirs, more = '', lookUpCommand } = alike
  const label = number?.field.label
  const says = describeLikeness(likeness, mine, theirs, label)
  const reason: RowReason = {
    path: (likeness.by === 'number' ? number?.path : type.reference) ?? '',
    message: says.message + more,
    cause: says.cause + more,
    leads: likeness.by === 'reference' || undefined,
    way: certainty === 'possible' ? undefined : '--same-person',
  }
  const isAllowed = certainty !== 'possible' && alike.isAllowed
  if (certainty === 'possible' || (certainty === 'likely' && isAsked) || isAllowed)
    return [{ does: 'doubt', issue: reason, isAllowed }]
  if (certainty === 'likely') return holdWrite('refused', `${reason.message}.`, { reason })
  const [there, anyway] =
    write.kind !== 'create'
      ? [`Somebody on the service has this ${label} already.`, 'To send it anyway']
      : likeness.by === 'same reference'
        ? ['Somebody on the service has this reference already.', 'To create another person with it']
        : ['The service has this person already.', 'To create the person a second time']
  const look = lookUpCommand && `To see who is there: ${lookUpCommand}.`
  return askOrStopFile(reason, there, joinHints(look, `${anyway}, add --same-person.`))
}

/** Asks about work that the service takes for another person's by how it names people: those hours would be paid to them. */
async function findWorkOfOther(
  _: RecordWrite,
  { findWork }: Pick<WantedCircumstances, 'findWork'>,
): Promise<readonly GuardFinding[]> {
  const reason = (await findWork())?.ofOther
  return reason ? askOrStopFile(reason, 'The service may count this for another person.') : []
}

/** Stops a file if a row names its person otherwise than the service: the next import would not find the timesheet. */
async function findOtherName(
  _: RecordWrite,
  { findWork }: Pick<WantedCircumstances, 'findWork'>,
): Promise<readonly GuardFinding[]> {
  const reason = (await findWork())?.otherName
  return reason ? stopFile(reason) : []
}

/** Doubts a record of work on days of which another has the same work: both may be paid. A file needs --overlapping. */
async function findOverlapping(
  _: RecordWrite,
  { findWork, overlapPolicy }: Pick<WantedCircumstances, 'findWork' | 'overlapPolicy'>,
): Promise<readonly GuardFinding[]> {
  const overlap = (await findWork())?.overlap
  if (!overlap) return []
  const { isDead, ...issue } = overlap
  const isAllowed = overlapPolicy === 'allowed' && !isDead
  if (isDead || overlapPolicy !== 'wrong') return [{ does: 'doubt', issue, isAllowed }]
  return stopFile({ ...issue, way: '--overlapping' })
}

/** Warns that timesheets and payslips keep the old reference of a person. */
function findOldReference(write: Change): readonly GuardFinding[] {
  const { type } = write.target
  const reference = newReference(write)
  const old = type.reference && readKey(write.seen.body, [type.reference])
  if (reference === undefined || old === undefined || properName(type).length === 0) return []
  const message = `timesheets and payslips that the service has stay under the old reference ${old}: nothing moves them to ${reference}.`
  return [{ does: 'warn', message }]
}

/** Doubts about values, by public standards and plausibility. For a change, only those that the record did not have. */
function findDoubts(write: RecordWrite, { today, facts }: CommonCircumstances): readonly GuardFinding[] {
  const { type } = write.target
  const doubts =
    write.kind === 'create'
      ? warnings(type, write.wanted, today, facts)
      : addedWarnings(type, write.seen.body, write.wanted, today, facts)
  return doubts.map((issue) => ({ does: 'doubt', issue }))
}

/**
 * Holds a change if somebody else changed the record after it was read (exit 6): the record is sent whole, and would
 * undo that. Fields that interface.md does not have, such as the last visit, may change by themselves.
 */
async function findChangedMeanwhile(
  { target, seen, key }: Change,
  { isAsSeen, reveal }: Circumstances['read again'],
  now = seen,
): Promise<readonly GuardFinding[]> {
  const changes = differences(seen.body, now.body).filter((each) => !changesByItself(target.type, each))
  if (isAsSeen ? isAsSeen(now) : changes.length === 0) return []
  return holdWrite(
    'refused',
    `Somebody changed ${target.id} after it was read, and the update would undo that.`,
    {
      issues: changes.map((each) => ({ path: each.path, message: formatChange(each, reveal) })),
      hint: await startAgainHint(target),
      reason: {
        path: key ? keyPath(key) : '',
        message:
          'somebody changed the record meanwhile, so it was left as it is: look at it, and import the row again',
      },
    },
  )
}

export const changesByItself = (type: RecordType, { path }: Difference): boolean =>
  type.documented === true && !fieldAtPlace(type.fields, path.split('.'))

export const startAgainHint = async ({ lookUpCommand }: RecordTarget): Promise<string> =>
  `Look at the record as it is now, then run the update again: ${await lookUpCommand()}`
