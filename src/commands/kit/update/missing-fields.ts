import type { WholeRecord } from '../../../api/whole-record.ts'
import type { Context } from '../../../context/context.ts'
import { Failure, usage } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { describeRecord } from '../../../model/mapping/record-name.ts'
import type { RecordType } from '../../../model/records/record-type.ts'
import { agree, nameSome, wordList } from '../../../text/words.ts'
import {
  type EmptyFields,
  findMissingParts,
  type MissingPart,
  type MissingParts,
  notAllowable,
  shortName,
  unreturnedIn,
} from '../../../write/lost-fields.ts'
import type { Change, ChangeWriter, GuardFinding, RecordTarget } from '../../../write/record-write.ts'
import type { Options } from '../../cli/options.ts'
import { askEmptyFields, emptyFieldsHint, emptyFieldsOf } from './empty-fields.ts'
import type { DecidedParts, WriteSession } from './write-session.ts'

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

/** Finds what a record came back without; asks once what that means, and throws exit 10 where nobody can be asked. */
export async function decideMissingParts(
  { context, options, writer }: WriteSession<ChangeWriter>,
  { target, seen }: Pick<Change, 'target' | 'seen'>,
  isGiven: (path: string) => boolean = () => false,
): Promise<DecidedParts> {
  const emptyFields = await emptyFieldsOf(context)
  const missing = await findMissingParts({
    target,
    client: await context.client(),
    whole: seen,
    isGiven,
    emptyFields,
    knowledge: await context.knowledge(),
    today: context.today(),
    isDryRun: options.dryRun === true,
  })
  const { blocking, undecided } = missing
  // The error of an import names the rows itself, once for all that have the same reason.
  const isRow = writer === 'import update' && !context.interactive
  const who = isRow ? 'the record' : describeRecord(target.type, seen.record, target.id)
  const meaning: EmptyFields =
    undecided.length > 0 && emptyFields === 'ask'
      ? await whatIsMeant(context, who, { blocking, undecided })
      : emptyFields
  return {
    blocking: meaning === 'hidden' ? [...blocking, ...undecided] : blocking,
    unshown: meaning === 'left-out' ? [] : missing.unshown,
    lostSections: missing.lostSections,
  }
}

async function whatIsMeant(
  context: Context,
  who: string,
  { blocking, undecided }: Pick<MissingParts, 'blocking' | 'undecided'>,
): Promise<EmptyFields> {
  const names = inWords(undecided.map(({ name }) => name))
  const without = `The service returned ${who} without ${names}`
  if (context.interactive) return askEmptyFields(context, without)
  throw new Failure('invalid-response', `${without}: they are empty, or it hides them.`, {
    outcome: 'not-sent',
    issues: [...blocking, ...undecided].map(({ path, why }) => ({ path, message: why })),
    hint: `Check whether the record has any: what is not sent may be cleared. To send it without, add ${allowOptions(undecided)}. ${await emptyFieldsHint(context)}`,
  })
}

/** A question for each missing part, which --yes does not answer: that means the write as it was typed. */
export function lostFindings(missing: readonly MissingPart[]): GuardFinding[] {
  if (missing.length === 0) return []
  const otherwise = new Failure(
    'invalid-response',
    `The service returned this record without ${inWords(missing.map(({ name }) => name))}.`,
    {
      outcome: 'not-sent',
      issues: missing.map(({ path, why }) => ({ path, message: why })),
      hint: `Check whether the record has any: what is not sent may be cleared. To send the update without, add ${allowOptions(missing)}`,
    },
  )
  return missing.map(({ path, name, why, option }) => ({
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
export function warnOfMissing(context: Context, missing: readonly MissingPart[]): void {
  for (const why of new Set(missing.map((each) => each.why))) {
    const names = missing.flatMap((each) => (each.why === why ? [each.name] : []))
    const them = agree(names.length, 'it')
    context.warn(
      `${inWords(names)} ${agree(names.length, 'is')} empty here, but ${why}: enter ${them} again, or you are asked about ${them}.`,
    )
  }
}

/**
 * Warns once of each field that the service never returns and may clear, unless it is known that none was sent: this
 * computer created the record and never sent the field. And of what else is not seen of the record.
 */
export async function warnOfLosses(
  { context, said }: Pick<WriteSession, 'context' | 'said'>,
  { type, id }: RecordTarget,
  body: JsonObject,
  { unshown, lostSections }: Pick<DecidedParts, 'unshown' | 'lostSections'>,
): Promise<void> {
  const isNew = (path: string) => !said.has(path)
  const unreturned = unreturnedIn(type, body).filter(isNew)
  if (unreturned.length + lostSections.length + unshown.length === 0) return
  const sentFields = await (await context.knowledge()).sentFor(type, { ids: [id] })
  // Several records are looked at together, and another one may have come first.
  const lost = unreturned.filter((path) => isNew(path) && (!sentFields?.created || sentFields.ever.has(path)))
  // Sections come first, and all are named: of many fields the last may only be counted.
  const named = [...lostSections.filter(isNew), ...lost]
  const paths = [...named, ...unshown.filter(isNew)]
  if (paths.length === 0) return
  for (const path of paths) said.add(path)
  const names = paths.map((path) => shortName(type, path))
  context.warn(
    `the service does not return these fields, and may clear those not given: ${nameSome(names, Math.max(named.length, 5))}.`,
  )
}

const inWords = (names: readonly string[]) => wordList(names, 'and')

const allowOptions = (missing: readonly MissingPart[]) =>
  missing.map(({ option }) => `--allow-missing ${option}`).join(' ')
