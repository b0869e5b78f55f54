import type { Context } from '../../../context/context.ts'
import { usage } from '../../../errors.ts'
import type { Column, ColumnMap, FileColumns, UnmatchedColumn } from '../../../files/table/column.ts'
import { assertFits, readColumnMap, savedMatching } from '../../../files/table/column-map.ts'
import { type DatePlace, describeCell, readIn } from '../../../files/table/date-order.ts'
import { suggestionsFor } from '../../../files/table/match-file.ts'
import type { Matching, MatchingHelp, NamedRate } from '../../../files/table/row-source.ts'
import type { TableSurvey } from '../../../files/table/survey-table.ts'
import { nameOrders, namePartsOf } from '../../../files/table/whole-names.ts'
import { sections } from '../../../model/fields/field.ts'
import { leafFields } from '../../../model/fields/field-tree.ts'
import type { RecordType } from '../../../model/records/record-type.ts'
import { isSensitive } from '../../../model/resources/sensitive.ts'
import type { DateOrder } from '../../../model/values/date-order.ts'
import { headingFor, itemLeaves } from '../../../model/values/find-field.ts'
import { hourRateText, readHourHeading } from '../../../model/values/hour-headings.ts'
import type { Choice } from '../../../prompts/terminal/prompt.ts'
import { mask } from '../../../render/text/mask.ts'
import { foldText } from '../../../text/words.ts'
import type { ImportVerb } from '../../cli/resource-verbs.ts'
import { openPrompts } from '../open-prompts.ts'

/** The word for --map that means the remembered matching. */
export const remembered = 'remembered'

/**
 * Learns what a file does not say itself: from `--map`, from what is remembered, and by asking. A file that was imported
 * already (`isDone`) is read as before, without a question.
 */
export function matchingHelp(
  context: Context,
  { type, rates }: Pick<NonNullable<ImportVerb['sheet']>, 'rates'> & { readonly type: RecordType },
  mapFile: string | undefined,
  { isDone, noted }: { readonly isDone: boolean; readonly noted: Matching | undefined },
): MatchingHelp {
  const questions: Partial<MatchingHelp> = {
    rates: rates && (() => rates(context)),
    matchColumns: (...found) => askColumns(context, type, ...found),
    chooseSheet: async (sheets) =>
      (await openPrompts(context)).choose<number>({
        message: 'Which sheet is imported?',
        choices: sheets.map(({ at, name }) => ({ value: at, name })),
      }),
    chooseOrder: async (unclear, header) =>
      askOrder(context, unclear, (await savedMatching(await context.directory(), type, header))?.dateFormat),
  }
  const recall = async (header: readonly string[]): Promise<Matching | undefined> => {
    if (mapFile !== undefined && mapFile !== remembered) {
      const map = await readColumnMap(mapFile)
      assertFits(header, map, mapFile)
      return { map }
    }
    // Another file with these headings may have been read otherwise since this one was imported.
    const before = noted ?? (await savedMatching(await context.directory(), type, header))
    if (mapFile === remembered && !before) throw usage('Nothing is remembered of a file with these headings.')
    if (!before || mapFile === remembered || isDone) return before
    return before.map !== undefined && (await isUsedAgain(context)) ? before : undefined
  }
  return { mapFile, recall, ...(context.interactive && !isDone && questions) }
}

/** Whether to use the remembered matching. Dry runs remember it too: such a file need not have been imported. */
async function isUsedAgain(context: Context): Promise<boolean> {
  if (!context.interactive) {
    context.note('These headings were matched before: --map remembered uses the same column matching.')
    return false
  }
  const message = 'These headings were matched before. Use the same column matching?'
  return (await openPrompts(context)).confirm({ message, default: true })
}

/** An address has no more lines than this. */
const addressLines = 4

const skipColumn = { value: null, name: 'Do not import this column' } as const

async function askColumns(
  context: Context,
  type: RecordType,
  found: FileColumns,
  { examples, hidden = [] }: TableSurvey,
  rates: readonly NamedRate[],
): Promise<ColumnMap> {
  const ask = await openPrompts(context)
  const fieldsInUse = new Map(
    found.columns.flatMap(({ fills, name }) => (fills ? [[fills.path, name] as const] : [])),
  )
  const answers = new Map<string, string | null>()
  for (const [nth, each] of found.unmatched.entries()) {
    const { column, at, of } = each
    const values = examples[at] ?? []
    const [what, choices] =
      of === 'hours'
        ? [': hours at which rate?', rateChoices(column, rates, fieldsInUse)]
        : of === 'names'
          ? [' has the whole name: how is it written?', nameChoices(values)]
          : [': what is it?', choicesFor(type, each, fieldsInUse)]
    const chosen = await ask.choose<string | null>({
      message: `${column.place}${what}`.replace(/^c/, 'C'),
      hint: ` · ${found.unmatched.length - nth} left`,
      help: `${hidden.includes(at) ? 'It is hidden in the sheet. ' : ''}${firstValues(column.name, values)} Type to search.`,
      choices,
      // Hours at a wrong rate would be paid, so even a single match must
      // be chosen. Other mistakes show in the preview.
      takesOnlyOne: of !== 'hours',
    })
    answers.set(column.name, chosen)
    if (chosen !== null) fieldsInUse.set(chosen, column.name)
  }
  return Object.fromEntries(answers)
}

/** The choices for a column of hours: the rate that the heading names first, multiples of the basic rate last. */
function rateChoices(
  { name }: Column,
  rates: readonly NamedRate[],
  fieldsInUse: ReadonlyMap<string, string>,
): readonly Choice<string | null>[] {
  const kind = foldText((readHourHeading(name)?.kind ?? '').replace(/ n?[\d.]+$/, ''))
  const choices = rates.map((rate) => ({
    value: hourRateText({ code: rate.code }),
    name: rate.name.replace(', ', ': '),
    isMeant: kind !== '' && foldText(rate.name).includes(kind),
  }))
  const meant = choices.filter(({ isMeant }) => isMeant)
  const first = meant.length === 1 ? meant : []
  const multiples = fieldsInUse.has('rates[0].rate') ? [1, 1.25, 1.5, 1.75, 2] : []
  return [
    ...first,
    skipColumn,
    ...new Set([...meant, ...choices].filter((each) => !first.includes(each))),
    ...multiples.map((multiple) => ({
      value: hourRateText({ multiple }),
      name: multiple === 1 ? 'The basic rate' : `${multiple} times the basic rate`,
    })),
  ]
}

function firstValues(name: string, values: readonly string[]): string {
  if (values.length === 0) return 'The column is empty.'
  const shown = values.map((value) => (isSensitive(name) ? mask(value) : value).slice(0, 40))
  return `Its first values: ${shown.join(' · ')}.`
}

/** The choices for a column: leaving it out first, so that Enter never takes a guess, then the likeliest fields. */
function choicesFor(
  type: RecordType,
  each: UnmatchedColumn,
  fieldsInUse: ReadonlyMap<string, string>,
): readonly Choice<string | null>[] {
  const labels = suggestionsFor(type, each)
  // A column has one value of each line of a list, such as the hours of a timesheet.
  const leaves = leafFields(type.fields).flatMap((leaf) =>
    leaf.field.item?.fields ? itemLeaves(leaf) : [leaf],
  )
  const fields = leaves.flatMap(({ path, field }): Choice<string | null>[] => {
    const paths =
      field.type === 'lines' ? Array.from({ length: addressLines }, (_, line) => `${path}[${line}]`) : [path]
    return paths.map((one) => {
      const other = fieldsInUse.get(one)
      return {
        value: one,
        name: headingFor(type, one),
        about: field.section ? sections[field.section] : '',
        disabled: other === undefined ? undefined : `filled by the column ${other}`,
      }
    })
  })
  const likely = (choice: Choice<string | null>) => labels.includes(choice.name) && !choice.disabled
  return [
    skipColumn,
    ...fields.filter(likely),
    ...wholeNames(type, fieldsInUse),
    ...fields.filter((choice) => !likely(choice)),
  ]
}

function wholeNames(type: RecordType, fieldsInUse: ReadonlyMap<string, string>): readonly Choice<string>[] {
  const parts = namePartsOf(type)
  const orders = Object.values(nameOrders)
  if (!parts || [parts.forename, parts.surname, ...orders].some((each) => fieldsInUse.has(each))) return []
  return orders.map((order) => ({ value: order, name: `Name, written ${order}` }))
}

function nameChoices(values: readonly string[]): readonly Choice<string | null>[] {
  const choices = [
    { value: nameOrders.surnameFirst, name: `${nameOrders.surnameFirst}: the comma parts them` },
    { value: nameOrders.forenameFirst, name: `${nameOrders.forenameFirst}: the first word is the forename` },
  ]
  const hasComma = values.some((value) => value.includes(','))
  return [...(hasComma ? choices : choices.toReversed()), skipColumn]
}

async function askOrder(
  context: Context,
  unclear: readonly DatePlace[],
  before: DateOrder | undefined,
): Promise<DateOrder> {
  const [first] = unclear
  const choices = Object.entries({ dmy: 'The day comes first', mdy: 'The month comes first' }).map(
    ([value, short]): Choice<DateOrder> => {
      const order = value as DateOrder
      const example = first ? `: ${readIn(order, first, context.today())}` : ''
      return { value: order, name: short + example, short }
    },
  )
  const last = before === undefined ? '' : ' The first answer is that of the last file with these headings.'
  return (await openPrompts(context)).choose<DateOrder>({
    message: 'Which comes first in the dates of this file?',
    help: `Every day and month is 12 or less, so 03/04 could be 3 April or 4 March. Such dates begin in ${unclear.map(describeCell).join(', ')}.${last}`,
    choices: before === 'mdy' ? choices.reverse() : choices,
  })
}
