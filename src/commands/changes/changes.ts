import type { Context } from '../../context/context.ts'
import { ensureMarkSecret } from '../../credentials/mark-key.ts'
import { Failure, type Issue, usage } from '../../errors.ts'
import { type CountryId, countryById, countryIds } from '../../model/countries/countries.ts'
import { array, choice, flag, integer, text, timestamp, type ValuesOf } from '../../model/fields/field.ts'
import { isBankField } from '../../model/records/bank-fields.ts'
import { candidateByCountry, countryCandidates } from '../../model/resources/country-candidates.ts'
import { findField } from '../../model/values/find-field.ts'
import { closedSentence, type Gap, gapSentences } from '../../reading/people.ts'
import { screenWidth } from '../../render/text/fold-message.ts'
import { fieldText } from '../../render/text/format-field.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
import { dayAt, spelledOut } from '../../text/day.ts'
import { groupBy } from '../../text/group-by.ts'
import { groupDigits, plural, wordList } from '../../text/words.ts'
import { chosenCountry, countriesOf, type Options } from '../cli/options.ts'
import { countryOptions } from '../cli/record-types.ts'
import type { Verb } from '../cli/verb.ts'
import { commandLine, countryFlag, typedCommand } from '../kit/command-line.ts'
import { confirmRemoval } from '../kit/confirm.ts'
import { showReading } from '../kit/show-progress.ts'
import { assertPeopleShown, assertSeen, assertSomebody, showReport } from '../kit/show-report.ts'
import {
  compareWithMark,
  hasMarked,
  type MarkComparison,
  type PeopleNow,
  type PersonChange,
  readMarkedPeople,
  sinceOf,
  withUnread,
} from './compare.ts'
import {
  daysName,
  type Fingerprint,
  fingerprintsOf,
  type Mark,
  type MarkHeader,
  markHeader,
  markNames,
  marksHere,
  mostOfDays,
  removeMark,
  writeMark,
} from './marks.ts'
import { noMark, planOf } from './plan.ts'
import { type Maker, makersSince } from './written-here.ts'

const rowFields = {
  change: choice('Change', ['new', 'gone', 'changed'] satisfies PersonChange['change'][]),
  country: choice('Country', countryIds),
  reference: text('Reference', { nullable: true }),
  name: text('Name', { nullable: true }),
  field: text('Field', { nullable: true }),
  path: text('Path', { nullable: true }),
  bank: flag('Bank details'),
  here: flag('From this computer', { nullable: true, help: 'null: it is not known.' }),
  by: text('Who'),
  at: text('When', { nullable: true }),
  user: text('User', { nullable: true }),
  command: text('To see it', { nullable: true }),
  id: text('ID', { nullable: true }),
}

type ChangeRow = ValuesOf<typeof rowFields>

const markFields = {
  name: text('Name'),
  at: timestamp('Made', { nullable: true }),
  people: integer('People', { nullable: true }),
}

const forgottenFields = { forgotten: array('The marks that were removed', text('')) }

const marks: Verb = {
  name: 'marks',
  isLocal: true,
  summary: 'List the marks of the service, the oldest first',
  examples: ['payroll changes marks'],
  answer: { prints: 'json', shapes: [{ list: true, fields: markFields }] },
  async run(context) {
    const { directory, place, names } = await marksHere(context)
    const rows = await Promise.all(
      names.map(async (name): Promise<ValuesOf<typeof markFields>> => {
        const header = await markHeader(directory, place, name)
        return { name, at: header?.at ?? null, people: header?.people ?? null }
      }),
    )
    rows.sort((one, other) => (one.at ?? '').localeCompare(other.at ?? ''))
    await context.output.list(rows, {
      columns: ['name', 'at', 'people'],
      fields: markFields,
    })
    if (rows.length === 0 && context.output.format.isForPerson)
      context.note('There is no mark of this service.')
  },
}

const forget: Verb = {
  name: 'forget',
  isLocal: true,
  deletes: true,
  localEffect: 'removed',
  summary: 'Remove a mark, or all marks of the service',
  arguments: [{ name: 'mark', summary: 'the name of the mark, as changes marks shows it', optional: true }],
  options: ['all'],
  optionTexts: { all: 'all marks' },
  notes: ['What is removed here cannot be brought back. Nothing is sent.'],
  answer: { prints: 'json', shapes: [{ fields: forgottenFields }] },
  examples: ['payroll changes forget payday --yes', 'payroll changes forget --all --yes'],
  async run(context, { arguments: { mark }, options: { all } }) {
    if ((mark === undefined) === (all === undefined))
      throw usage('Say which mark to remove: its name, or --all.', 'Their names: payroll changes marks')
    const { directory, place, names } = await marksHere(context)
    const marks = mark === undefined ? names : names.filter((name) => name === mark.toLowerCase())
    if (mark !== undefined && marks.length === 0) throw noMark(mark, names)
    const what = mark === undefined ? plural(marks.length, 'mark') : `the mark ${mark}`
    if (marks.length > 0) await confirmRemoval(context, `remove ${what}`)
    context.writes.changedHere()
    for (const name of marks) await removeMark(directory, place, name)
    context.note(marks.length === 0 ? 'There was nothing to remove.' : `Removed ${what}.`)
    const answer: ValuesOf<typeof forgottenFields> = { forgotten: marks }
    await context.output.record({ ...answer })
  },
}

export const changes: Verb = {
  name: 'changes',
  mayBePartial: true,
  summary: 'Show who is new, gone or changed since a mark, bank details first',
  options: [...countryOptions, 'since', 'fields', 'mark', 'failIfChanged'],
  optionTexts: { since: 'since this day, as YYYY-MM-DD, or since this mark' },
  // Without a country, the people of all are compared.
  namesCountry: true,
  notes: [
    'The first run makes a mark of the people as they are, and says so. Each later one compares with the newest mark of an earlier day, and then makes the mark of its own day: so it can be run again on a payday, and shows the same. The last 14 of these marks are kept.',
    'With --mark it compares with the mark of that name, where there is one, and then makes it again; it stays until you remove it: payroll changes forget <name>. A job that is to report each change has a mark of its own: else a run by hand, later on its day, hides from it what that run showed. With --since, or with --fields, no mark is made without --mark. People who are new or gone are shown with --fields too.',
    'A mark keeps no value: a fingerprint of each field of each person (SHA-256 with a key), and the references. So changes names the fields, and not what was in them. The key of the fingerprints lies where the key of the profile lies. Fields that payroll does not know are not compared.',
    'The history of this computer tells of each change whether it was made from here. The people are read whole, and one by one where the list shows less than their records. A list that is short, or changes while it is read, is exit 10: nothing is reported, and no mark is made.',
  ],
  examples: [
    'payroll changes',
    'payroll changes --since payday --fields bank',
    'payroll changes --mark payday',
    'payroll changes --out changes.xlsx',
    'payroll changes --mark nightly --quiet --errors json --fail-if-changed >/dev/null   # in cron: silent when nothing changed',
  ],
  verbs: [marks, forget],
  answer: { prints: 'json', shapes: [{ list: true, fields: rowFields }] },
  async run(context, { options }) {
    const plan = await planOf(context, options)
    const meansField = fieldsMeant(options.fields)
    const { baseline, make, directory, place, secret } = plan
    const startedAt = context.host.now()
    const markSecret = secret ?? (await ensureMarkSecret(context.place, await context.access()))
    context.host.secrets.hide(markSecret)
    const fingerprint = fingerprintsOf(markSecret, place)
    const client = await context.client()
    const now = await showReading(context, (onPerson) =>
      readMarkedPeople(client, {
        countries: countriesOf(options).map(({ id }) => id),
        fingerprint,
        before: baseline,
        isAskedFor: options.fields !== undefined || options.failIfChanged === true,
        onPerson,
      }),
    )
    const comparison = baseline && now.people.length > 0 ? compareWithMark(baseline, now) : undefined
    if (baseline && comparison?.people === 0 && comparison.changes.length === 0)
      throw usage(
        `The mark ${baseline.header.name} has nobody of the people that were read. Nothing was compared.`,
      )
    const wantedChanges = (comparison?.changes ?? []).filter(
      (each) => each.change !== 'changed' || meansField(each),
    )
    const { remarks, missed } = unseenIn(now, comparison, baseline, options)
    const mark = baseline && { ...baseline.header, at: sinceOf(baseline.header, Object.keys(now.paths)) }
    await showReport(context, () => rowsOf(context, wantedChanges, now, mark), {
      fields: rowFields,
      text: (rows) => reportOf(context, rows),
      remarks,
    })
    assertSomebody(context, now.people.length, 'compared, and no mark was made')
    if (now.people.length === 0) return
    // The mark comes last, behind the file of --out: what was not shown must not count as seen.
    if (make !== undefined) {
      await context.finish()
      const { people, ...kept } = withUnread(now, baseline, make)
      const at = new Date(startedAt).toISOString()
      const header = { ...place, name: make, at, ...kept, people: people.length }
      await keepMark(directory, { header, people }, fingerprint)
    }
    if (!mark) {
      const lacks = options.mark === undefined ? 'no mark to compare with' : `no mark ${make} yet`
      context.warn(
        `There was ${lacks}, so nothing was compared. The first one was made: ${make}, of ${countPeople(now.people.length)}.`,
      )
      context.note(`What changes from now on is shown by: ${typedCommand(context)}`)
      await assertPeopleShown(context, options, now.closed, 'compared')
      return
    }
    const summary = changeSummary(wantedChanges, mark, comparison?.people ?? 0)
    if (make !== undefined) context.note(`The mark ${make} was made.`)
    const isMadeAgain = make === mark.name
    // The mark no longer tells who it was, and the answer may have gone to /dev/null.
    const issues = isMadeAgain && options.failIfChanged ? issuesOf(wantedChanges) : []
    assertSeen(summary, missed, issues)
    if (wantedChanges.length > 0 && options.failIfChanged) {
      const only = (options.fields ?? []).flatMap((each) => ['--fields', each])
      const flags = [chosenCountry(options)?.flag ?? [], only].flat()
      const look = await commandLine(context, 'changes', '--since', mark.name, ...flags)
      throw new Failure('partial', summary, {
        found: true,
        issues,
        hint: isMadeAgain
          ? 'The answer has it all. The mark was made again, so nothing shows it once more.'
          : `Who and what: ${look}`,
      })
    }
    context.note(summary)
    await assertPeopleShown(context, options, now.closed, 'compared')
  },
}

/**
 * The sentences about what was not compared. `missed` are those about fields that were asked for: they end the command
 * with 10. A field that neither the service nor the last mark has is mentioned only if it was named.
 */
function unseenIn(
  { gaps, closed, nameless }: PeopleNow,
  comparison: MarkComparison | undefined,
  before: Mark | undefined,
  { fields, failIfChanged }: Options,
) {
  const [means, meansByName] = [fieldsMeant(fields ?? ['bank']), fieldsMeant((fields ?? []).filter(isNoBank))]
  const isMeant = ({ country, path }: Gap) => means({ country: country.id, path })
  const isNamed = ({ country, path }: Gap) => meansByName({ country: country.id, path })
  const isHidden = ({ why, isAll }: Gap) => why === 'hidden' && isAll
  const hasNoAccount = ({ country, path }: Gap) =>
    accountFields.includes(path) &&
    accountFields.every((each) =>
      gaps.some((gap) => gap.country === country && gap.path === each && isHidden(gap)),
    )
  const isNews = (gap: Gap) =>
    !isHidden(gap) ||
    (before && hasMarked(before, gap.country.id, gap.path)) ||
    isNamed(gap) ||
    (isMeant(gap) && hasNoAccount(gap))
  const uncompared = [...gaps.filter(isNews), ...(comparison?.unmarked ?? [])]
  const isRequired = before !== undefined && (failIfChanged || fields !== undefined)
  const [missedGaps, otherGaps] = partition(uncompared, (gap) => isRequired && isMeant(gap))
  const [missedLists, otherLists] = partition(
    [...closed.keys()],
    (id) => isRequired && before.header.paths[id] !== undefined,
  )
  const sentences = (lists: readonly CountryId[], of: readonly Gap[]) => [
    ...lists.map((id) => closedSentence(id, 'compared')),
    ...gapSentences(of, 'compared'),
  ]
  const unmarked = comparison?.unmarkedCountries ?? []
  return {
    remarks: [
      ...sentences(otherLists, otherGaps),
      ...unmarked.map(
        (id) => `the people ${countryById[id].inPlace} were not compared: the last mark does not have them`,
      ),
      ...(nameless > 0
        ? [`${countPeople(nameless)} not compared: the service shows neither an id nor a reference of them`]
        : []),
    ],
    missed: sentences(missedLists, missedGaps),
  }
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

const accountFields: readonly string[] = ['bankSetting.accountNumber', 'bankSetting.IBANReference']

/** Whether a word of --fields is a field, and not all bank details. */
const isNoBank = (name: string) => name.toLowerCase() !== 'bank'

/** Tests whether --fields means a field: all, where there is none. Throws a usage failure for an unknown field. */
function fieldsMeant(
  names: readonly string[] | undefined,
): (field: Pick<PersonChange, 'country' | 'path'>) => boolean {
  if (!names) return () => true
  const wantsBank = !names.every(isNoBank)
  const paths = names.filter(isNoBank).flatMap((name) => {
    const fieldsFound = countryCandidates.flatMap(({ sent }) => findField(sent.fields, name).found ?? [])
    if (fieldsFound.length > 0) return fieldsFound.flatMap(({ request, answer }) => request ?? answer ?? [])
    const near = countryCandidates.flatMap(({ sent }) => findField(sent.fields, name).near ?? [])
    throw usage(
      `--fields ${name}: there is no such field of a person.`,
      near.length > 0
        ? `Did you mean ${wordList([...new Set(near)].slice(0, 3), 'or')}?`
        : 'bank means all bank details. The fields: payroll explain candidates',
    )
  })
  return ({ country, path = '' }) =>
    (wantsBank && isBankField(candidateByCountry[country].sent, path)) ||
    paths.some((each) => path === each || path.startsWith(`${each}.`))
}

async function rowsOf(
  context: Context,
  peopleChanges: readonly PersonChange[],
  { people }: PeopleNow,
  mark: MarkHeader | undefined,
): Promise<readonly ChangeRow[]> {
  if (!mark || peopleChanges.length === 0) return []
  const makerOf = await makersSince(context, mark, people)
  return Promise.all(
    peopleChanges.map(async (each) => {
      const { change, country, reference, person, label, path, isBank, before } = each
      const maker = await makerOf(each)
      const cell = before === undefined ? label : `${label} (was ${before})`
      return {
        change,
        country,
        reference: reference ?? null,
        name: person?.name ?? null,
        field: cell ?? null,
        path: path ?? null,
        bank: isBank,
        here: maker.here,
        by: sayChange(each, maker),
        at: maker.at ?? null,
        user: maker.user ?? null,
        command:
          person?.id === undefined
            ? null
            : await commandLine(
                context,
                ...['candidates', 'get', person.id],
                ...(await countryFlag(context, countryById[country])),
              ),
        id: person?.id ?? null,
      }
    }),
  )
}

/** Names each person and what changed, without a value; in messages that all differ, because an error cuts equal ones short. */
function issuesOf(changes: readonly PersonChange[]): Issue[] {
  const people = groupBy(changes, whoChanged)
  return [...people.values()].map((same) => {
    const [{ change, reference, person } = {}] = same
    const path = reference ?? person?.id ?? ''
    const fields = same.flatMap(({ label }) => label ?? []).join(', ')
    const who = [path, person?.name].filter(Boolean).join(', ')
    return { path, place: '', message: `${who}: ${`${fields} ${change}`.trim()}` }
  })
}

const whoChanged = ({ country, person, reference }: PersonChange) => `${country} ${person?.id ?? reference}`

const pastVerbs = { new: 'created', gone: 'deleted', changed: 'changed' } as const

/** `changed from this computer on 12 November 2026 by ann`. */
function sayChange({ change }: PersonChange, { here, at, user }: Maker): string {
  const verb = pastVerbs[change]
  if (at === undefined)
    return here === null
      ? `${verb}; the history of this computer cannot tell from where`
      : `${verb}, but not from this computer`
  const by = user === undefined ? '' : ` by ${user}`
  const from = `${verb} from this computer on ${spelledOut(dayAt(Date.parse(at)))}${by}`
  if (here === null) return `perhaps ${from}`
  return here ? from : `${from}, and again elsewhere`
}

/** How changes are shown together: the heading of their report, and what the summary says of them. */
const groups = {
  bank: ['Bank details changed', 'with other bank details'],
  new: ['New', 'new'],
  gone: ['Gone', 'gone'],
  changed: ['Changed', 'changed otherwise'],
} as const

function reportOf(context: Context, rows: readonly ChangeRow[]): string {
  const { heading } = context.output.style
  const sections = Object.entries(groups).flatMap(([group, [name]]) => {
    const own = rows.filter(({ bank, change }) => (bank ? 'bank' : change) === group)
    if (own.length === 0) return []
    const people = groupBy(own, ({ country, id, reference }) => `${country} ${id ?? reference}`)
    const title = heading(`${name} (${countPeople(people.size)})`)
    return [[title, '', ...[...people.values()].flatMap((each) => linesOfPerson(context, each))].join('\n')]
  })
  return sections.length === 0 ? '' : `${sections.join('\n\n')}\n`
}

/** A person, the fields that changed by who changed them, and the command that shows the record. */
function linesOfPerson(context: Context, rows: readonly ChangeRow[]): string[] {
  const width = screenWidth(context.host.stdout)
  const [first] = rows
  if (!first) return []
  const who = [first.reference ?? first.id, first.name, `(${countryById[first.country].place})`]
  const lines = [...groupBy(rows, ({ by }) => by)].map(([by, same]) => {
    const fields = same.flatMap(({ field }) => field ?? [])
    return wrapText(`${fields.length === 0 ? '' : `${fields.join(', ')}: `}${by}`, width, '  ')
  })
  return [
    wrapText(context.output.style.bold(who.filter(Boolean).join(' ')), width),
    ...lines,
    ...(first.command === null ? [] : [`    ${first.command}`]),
  ]
}

const countPeople = (count: number) => plural(count, 'person')

/** `Since 12 November 2026 09:15 UTC (mark payday), of 240 people: 1 with other bank details, 2 new.` */
function changeSummary(
  changes: readonly PersonChange[],
  { name, at }: MarkHeader,
  people: MarkComparison['people'],
): string {
  const since = `Since ${fieldText(`${at.slice(0, 19)}Z`, undefined, 'long')} (mark ${name})`
  const parts = Object.entries(groups).flatMap(([group, [, what]]) => {
    const own = changes.filter(({ isBank, change }) => (isBank ? 'bank' : change) === group)
    return own.length === 0 ? [] : [`${groupDigits(groupBy(own, whoChanged).size)} ${what}`]
  })
  return `${since}, of ${countPeople(people)}: ${parts.join(', ') || 'nothing changed'}.`
}

/** Writes a mark. Of the marks that are named by a day, the oldest are removed. */
async function keepMark(directory: string, mark: Mark, fingerprint: Fingerprint): Promise<void> {
  await writeMark(directory, mark, fingerprint)
  const suffix = daysName.exec(mark.header.name)
  if (!suffix) return
  const same = (await markNames(directory, mark.header)).filter(
    (name) => daysName.exec(name)?.[2] === suffix[2] && daysName.test(name),
  )
  for (const name of same.slice(0, -mostOfDays)) await removeMark(directory, mark.header, name)
}
