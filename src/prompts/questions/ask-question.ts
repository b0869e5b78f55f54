import { hasNoValue, type Json } from '../../files/json/path.ts'
import { type Country, countryById } from '../../model/countries/countries.ts'
import { type Field, type FieldKind, isOfWords, type PickedFrom } from '../../model/fields/field.ts'
import { emptyValue, type Leaf } from '../../model/fields/field-tree.ts'
import { expectations, fitsField } from '../../model/resources/check-record.ts'
import { plainText } from '../../model/standards/standards.ts'
import type { Warning } from '../../model/standards/warning.ts'
import { doubtOf } from '../../model/standards/warnings.ts'
import { explanationOf, kindsInWords } from '../../model/values/explanation.ts'
import { splitImplied } from '../../model/values/implied-values.ts'
import { knownCodes, valueName, wordDoubt } from '../../model/values/read-code.ts'
import { typedDates } from '../../model/values/read-date.ts'
import { readValue } from '../../model/values/read-value.ts'
import { toText } from '../../render/text/format-field.ts'
import { safeText } from '../../render/text/safe-text.ts'
import { capital } from '../../text/words.ts'
import { lineBreak } from '../terminal/pasting.ts'
import type { Choice, ChoicePrompt } from '../terminal/prompt.ts'
import {
  type AskedField,
  asTyped,
  type Doubt,
  type FormKey,
  type QuestionReply,
  type QuestionResult,
  questionHint,
  repliesByKey,
} from './asked-field.ts'
import { askChoice, suggestedValues } from './choice-question.ts'
import type { FormContext, PickedRecord } from './form-context.ts'
import { formatUnderstood, formatValue, isDateField } from './format-value.ts'
import { askList, isListed } from './list-question.ts'

/** Asks for one field, again where the service does not allow the value. About a warning, the person decides. */
export async function askQuestion(form: FormContext, question: AskedField): Promise<QuestionResult> {
  const { field, before } = question
  const doubt = await doubtsAbout(form, question)
  let doubted: Json
  for (;;) {
    let reply = await askByType(form, { ...question, doubted }, doubt)
    doubted = undefined
    const warning = 'value' in reply ? doubt(reply) : undefined
    if ('value' in reply && warning) {
      doubted = reply.value
      const decision = await confirmWarning(form, field, warning)
      if (decision === 'again') continue
      if (decision === 'keep') return reply
      if (decision === 'take') return { value: warning.suggestion, ...relatedAnswer(field, reply.value) }
      reply = decision
    }
    if ('value' in reply) return reply
    if (reply.move === 'explain') showFieldHelp(form, question)
    else if (reply.move === 'empty') {
      form.say(`${field.label}: nothing now.`, '  ')
      return { value: emptyAnswer(field, before) }
    } else {
      if (doubted !== undefined)
        form.say(`${field.label}: ${formatValue(field, doubted, form.shown)} was not taken.`, '  ')
      return { move: reply.move }
    }
  }
}

function askByType(form: FormContext, question: AskedField, doubt: Doubt): Promise<QuestionReply> {
  const { field, isNew } = question
  if (field.type === 'lines') return askLines(form, question)
  if (isListed(field)) return askList(form, question, askQuestion)
  if (field.kinds && isNew) return form.ask.choose(kindsPrompt(question, field.kinds))
  if (field.picks) return askPick(form, question, field.picks, doubt)
  return suggestedValues(field, form.serviceWords).length > 0
    ? askChoice(form, question, doubt)
    : askText(form, question, doubt)
}

/** `1257L W1` answers two fields: W1, M1 or X is the tax basis. */
function relatedAnswer(field: Field, answer: Json): Pick<QuestionResult, 'also'> {
  const { implied = {} } = splitImplied(field, answer, undefined)
  return 'taxBasis' in implied ? { also: [['taxBasis', implied.taxBasis]] } : {}
}

/** What empties a field: the value that clears it where it had one, else null, which leaves the field out. */
const emptyAnswer = (field: Field, before: Json): Json =>
  before === undefined || before === null ? undefined : (emptyValue(field) ?? null)

/**
 * A yes or no that also asks which kind, such as the plan of a student loan. The field of that kind is asked
 * next, and those of the other kinds are emptied.
 */
function kindsPrompt(question: AskedField, kinds: readonly FieldKind[]): ChoicePrompt<QuestionReply> {
  const { field, now, kindField } = question
  const emptied = (but?: FieldKind) =>
    kinds.filter((kind) => kind !== but).map((kind) => [kind.field, undefined] as const)
  const no: Choice<QuestionReply> = { value: { value: false, also: emptied() }, name: 'No' }
  const kindChoices = kinds.map(
    (kind): Choice<QuestionReply> => ({
      value: { value: true, also: emptied(kind), next: kind.field },
      name: kind.about ? `${kind.name}: ${kind.about}` : kind.name,
      short: kind.name,
    }),
  )
  const unknown: Choice<QuestionReply> = {
    value: { value: true, also: emptied() },
    name: 'Yes, but it is not known which',
  }
  // The current answer comes first, so that Enter keeps it.
  const currentKind = kinds.findIndex((kind) => kind.field === kindField)
  const answer = now === true ? (kindChoices[currentKind] ?? unknown) : no
  return {
    message: field.label,
    hint: questionHint(question, ''),
    help: field.help,
    choices: [answer, ...[no, ...kindChoices, unknown].filter((choice) => choice !== answer)],
    none: 'Answer no, or which one it is.',
    keys: repliesByKey,
  }
}

/** Asks for lines. Enter at the first keeps all; once it is typed again, Enter keeps each. The hyphen loses one. */
async function askLines(form: FormContext, question: AskedField): Promise<QuestionReply> {
  const { ask, shown } = form
  const { field, now } = question
  const old = Array.isArray(now) ? now.map(String) : []
  let lines: string[] = []
  const valueNow = formatValue(field, now, shown)
  for (let at = 0; ; ) {
    const isUntyped = lines.length === 0
    const preset = isUntyped ? valueNow : (lines[at] ?? '')
    const reply = await ask.line<string | { readonly move: FormKey }>({
      message: `${field.label}, line ${at + 1}`,
      hint: questionHint(
        question,
        preset ? ` [${toText(preset)}]` : isUntyped ? '' : ' (Enter when there are no more)',
      ),
      help: isUntyped ? field.help : undefined,
      several: true,
      keys: repliesByKey,
      old: isUntyped ? toText(old[0]) : preset,
      read: (text) => ({ value: text, echo: text.trim() === '' ? toText(preset) : toText(linesIn(text)) }),
    })
    const [typed, move] = typeof reply === 'string' ? [reply] : ['', reply.move]
    const isEnd = at === lines.length
    if (move === 'explain') showFieldHelp(form, question)
    else if (move === 'back' && at > 0) at--
    else if (move === 'empty' && (at > 0 || lines.length > 1)) {
      if (isEnd) return { value: lines }
      lines = lines.toSpliced(at, 1)
      await question.keep?.(lines)
    } else if (move === 'empty') return { move }
    else if (move) return isUntyped ? { move } : { move, value: lines }
    else if (typed.trim() !== '') {
      const more = linesIn(typed)
      // Several lines pasted at the first question replace everything.
      const otherLines = isUntyped && more.length === 1 ? old : lines
      lines = otherLines.toSpliced(at, 1, ...more)
      at += more.length
      await question.keep?.(lines)
    } else if (isUntyped) return { value: now }
    else if (isEnd) return { value: lines }
    else at++
  }
}

function linesIn(text: string): string[] {
  return text
    .split(lineBreak)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Asks for one of the service's records. If they cannot be read, or there are none, the value is typed. */
async function askPick(
  form: FormContext,
  question: AskedField,
  from: PickedFrom,
  doubt: Doubt,
): Promise<QuestionReply> {
  const records = (await form.recordsOf(from)) ?? []
  const { field, now } = question
  if (records.length === 0) {
    const help = `No ${pickedNouns[from]} can be looked up: type the ${from === 'person' ? 'whole agency reference' : 'id'}.`
    return askText(form, { ...question, field: { ...field, help } }, doubt)
  }
  const here = await form.country()
  // Of VAT codes, those of the record's country come first.
  const isHere = ({ country }: PickedRecord) => from === 'person' || !here || !country || country === here.id
  const choiceOf = ({ value, name }: PickedRecord): Choice<QuestionReply> => ({
    value: { value },
    name,
    // Each word of the name is a code: typing a surname finds the person.
    codes: [value, ...name.split(/[\s(),]+/)],
    isDoubtful: doubt({ value }) !== undefined,
  })
  const nothing: Choice<QuestionReply> = { value: { move: 'empty' }, name: 'leave empty', short: '' }
  const current = records.find(({ value }) => value === now)
  const otherChoices = records.filter((record) => record !== current && isHere(record)).map(choiceOf)
  return form.ask.choose<QuestionReply>({
    message: field.label,
    hint: questionHint(question, ' (type a part of it)'),
    help: field.help,
    choices: hasNoValue(now)
      ? [{ ...nothing, value: { value: now } }, ...otherChoices]
      : [
          current ? choiceOf(current) : { value: { value: now }, name: String(now) },
          ...otherChoices,
          nothing,
        ],
    // Records of other countries are found only by typing.
    more: records.filter((record) => record !== current && !isHere(record)).map(choiceOf),
    typed: (text) => ({ answer: asTyped(text, doubt) }),
    keys: repliesByKey,
  })
}

const pickedNouns: Readonly<Record<PickedFrom, string>> = {
  person: 'person',
  'payment-rate': 'payment rate',
  'vat-code': 'VAT code',
}

type Decision = 'take' | 'again' | 'keep' | { readonly move: FormKey }

/** Asks what to do about a warning. Enter takes the suggestion, or asks again; it never keeps a doubtful value. */
function confirmWarning(
  { ask, shown }: FormContext,
  field: Field,
  { message, suggestion }: Warning,
): Promise<Decision> {
  const hidden = (field.sensitive ?? false) && shown.masked
  const corrected = hidden ? 'the corrected form' : formatValue(field, suggestion, shown)
  const choices: Choice<Decision>[] = [
    ...(suggestion
      ? [{ value: 'take' as const, name: `Take ${corrected}`, short: `Took ${corrected}.` }]
      : []),
    { value: 'again', name: 'Type it again', short: '' },
    { value: 'keep', name: 'Keep it as typed', short: 'Kept as typed.' },
  ]
  return ask.choose<Decision>({
    message: capital(message).replace(/(?<!\?)$/, '.'),
    isCaution: true,
    hidden,
    choices,
    keys: repliesByKey,
    none: 'Choose what to do with the answer: it can be typed again.',
  })
}

/** Explains a field after `?`: what it is, the rule of its standard, and an example. */
function showFieldHelp({ say, style, type, shown, serviceWords }: FormContext, leaf: Leaf): void {
  const { field } = leaf
  const { label, rule, example } = explanationOf(type, leaf)
  const answers = knownCodes(field, serviceWords).map((value) => valueName(field, value) ?? value)
  // Without one of its own, it would only repeat the name of the field.
  const hasExample = example !== null && typeof example !== 'object' && !/^Example /.test(String(example))
  const shownExample = hasExample && formatValue(field, example, { ...shown, masked: false })
  const lines = [
    `${style.bold(label)}: ${kindsInWords[field.type]}.`,
    field.help,
    rule && `${rule} You may keep another answer.`,
    answers.length > 0 && `Usual answers: ${answers.join(', ')}. Another may be typed.`,
    answers.length === 0 && shownExample && `For example: ${shownExample}`,
  ]
  for (const line of lines) if (line) say(line, '  ')
}

function askText(form: FormContext, question: AskedField, doubt: Doubt): Promise<QuestionReply> {
  const { today, shown } = form
  const { field, now, doubted } = question
  const isHidden = (field.sensitive ?? false) && shown.masked
  const valueNow = formatValue(field, now, shown)
  const unmasked = (value: Json) => formatValue(field, value, { ...shown, masked: false })
  return form.ask.line<QuestionReply>({
    message: field.label,
    hint: questionHint(question, valueNow ? ` [${valueNow}]` : isDateField(field) ? ' (day/month/year)' : ''),
    help: field.help,
    hidden: isHidden,
    keys: repliesByKey,
    old: unmasked(now),
    begun: isHidden ? '' : unmasked(doubted),
    read: (text) => {
      if (text.trim() === '') return { value: { value: now }, echo: valueNow }
      const answer = readTypedAnswer(form, field, text)
      if ('refused' in answer) return answer
      const { value } = answer
      const echo = formatUnderstood(field, value, shown)
      const isDoubtful = doubt({ value }) !== undefined
      return { value: answer, echo, isDoubtful, comment: comment(text, value, echo) }
    },
  })

  /** Shown while typing: how the text is understood and whether it passes; nothing while it is incomplete. */
  function comment(text: string, value: Json, understood: string): string | undefined {
    const warning = doubtOf(field, value, today)
    if (warning?.suggestion)
      return isHidden
        ? 'almost right; Enter says more'
        : `nearly: ${safeText(warning.suggestion)}; Enter tells more`
    const differs = !isHidden && understood !== text.trim() ? understood : ''
    return warning ? differs : hasForm(field) || differs ? `✓ ${differs || 'fits'}` : undefined
  }
}

/** Whether the standard has a format; those of names, places and references have none. */
const hasForm = ({ standard }: Field) => standard && standard !== 'reference' && !isOfWords(standard)

/** Reads typed text, with the day before the month; or says what to type instead. Unreadable text stays text. */
function readTypedAnswer(
  { today, shown, serviceWords }: FormContext,
  field: Field,
  text: string,
): { readonly value: Json } | { readonly refused: string } {
  const reading = readValue(field, plainText(text.trim()), {
    ...typedDates(today),
    currency: shown.currency,
    serviceWords,
  })
  const value = 'value' in reading ? reading.value : text.trim()
  if ('flaw' in reading && reading.isRealDate) return { refused: `Not taken: ${reading.flaw}.` }
  if (fitsField(field, value)) return { value }
  return { refused: `Not understood: ${'flaw' in reading ? reading.flaw : expectations[field.type]}.` }
}

/** Makes the test for doubtful answers: by the field's standard, and its known codes or records. */
async function doubtsAbout(form: FormContext, { field, now, before }: AskedField): Promise<Doubt> {
  const { picks } = field
  const records = (picks && (await form.recordsOf(picks))) ?? []
  const here = picks && (await form.country())
  return ({ value }) => {
    if (value === now || value === before) return undefined
    // What is doubted of one line is put right in the lines.
    const [ofLine] = Array.isArray(value)
      ? value.flatMap((line) => {
          const message = doubtOf(field, line, form.today)?.message
          return message === undefined ? [] : [`${message}: ${toText(line)}`]
        })
      : []
    const warning = ofLine === undefined ? doubtOf(field, value, form.today) : { message: ofLine }
    if (typeof value !== 'string' || value === '') return warning
    if (warning) return warning
    return picks ? doubtUnlisted(records, here, picks, value) : unknownCode(form, field, value)
  }
}

/** A longer list is not repeated in a warning: the question has just shown it. */
const longestList = 60

/** Warns of an unknown code. There are more titles than the known ones, so none is doubted. */
function unknownCode({ serviceWords }: FormContext, field: Field, value: string): Warning | undefined {
  const doubt = wordDoubt(field, value, serviceWords)
  if (!doubt) return undefined
  const list = knownCodes(field, serviceWords)
    .map((code) => valueName(field, code) ?? code)
    .join(', ')
  return {
    message: `not a known answer${list.length > longestList ? '' : ` (${list})`}`,
    suggestion: doubt.meant,
  }
}

function doubtUnlisted(
  records: readonly PickedRecord[],
  here: Country | undefined,
  from: PickedFrom,
  value: string,
): Warning | undefined {
  const record = records.find((each) => each.value === value)
  const other = record?.country && countryById[record.country]
  if (from === 'vat-code' && other && here && other !== here)
    return { message: `this VAT code is used ${other.inPlace}, not ${here.inPlace}` }
  if (records.length === 0 || record) return undefined
  const same = records.filter((each) => each.value.toLowerCase() === value.toLowerCase())
  return {
    message: `the service has no such ${pickedNouns[from]}`,
    suggestion: same.length === 1 ? same[0]?.value : undefined,
  }
}
