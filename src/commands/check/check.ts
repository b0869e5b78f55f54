import type { Context } from '../../context/context.ts'
import { Failure, usage } from '../../errors.ts'
import { countryById, countryIds } from '../../model/countries/countries.ts'
import {
  anything,
  array,
  choice,
  date,
  flag,
  object,
  text,
  timestamp,
  type ValuesOf,
} from '../../model/fields/field.ts'
import { screenWidth } from '../../render/text/fold-message.ts'
import { safeText } from '../../render/text/safe-text.ts'
import { wrapText } from '../../render/text/wrap-text.ts'
import { dayAfter, spelledOut } from '../../text/day.ts'
import { groupBy } from '../../text/group-by.ts'
import { capital, groupDigits, plural } from '../../text/words.ts'
import { chosenCountry, type Options } from '../cli/options.ts'
import { countryOptions } from '../cli/record-types.ts'
import type { Verb } from '../cli/verb.ts'
import { commandLine, countryFlag } from '../kit/command-line.ts'
import { matchNames } from '../kit/find/match-names.ts'
import { readName } from '../kit/find/named-record.ts'
import { doubtOfPayDate, payDateOf, payDayOf } from '../kit/pay-day.ts'
import { readDay } from '../kit/read-day.ts'
import { showReading } from '../kit/show-progress.ts'
import { assertPeopleShown, assertSeen, assertSomebody, showReport } from '../kit/show-report.ts'
import {
  type Accepted,
  type AcceptedAt,
  changeAccepted,
  digestOf,
  isAsSeen,
  isQuietOn,
  isSameAccepted,
  readAccepted,
} from './accepted.ts'
import { type CheckFinding, type CheckResult, checkPayroll, usualDays } from './check-payroll.ts'
import { needsOf, type Severity, severities } from './rule.ts'
import { type RuleId, ruleIds, ruleOf } from './rules.ts'

const acceptedFields = {
  rule: text('Rule'),
  reference: text('Person'),
  until: date('Quiet until', { nullable: true }),
  at: timestamp('Accepted'),
}

const { at: _, ...others } = acceptedFields

const acceptFields = { ...others, accepted: flag('Kept quiet') }

const accept: Verb = {
  name: 'accept',
  localEffect: 'changed',
  summary: 'Keep what a rule finds of one person quiet: all of it until a day, or for good what it finds now',
  arguments: [{ name: 'rule', summary: 'the rule that found it, as check shows it' }],
  options: ['person', 'until', 'again', 'weekEnding'],
  notes: [
    'Without --until, what the rule finds of the person now is kept quiet: something else, such as a second payslip of the next week, is reported.',
    'What is accepted is kept on this computer, for the profile and the address of its service, in a file that only you can read. It holds references, and nothing else of a person but a digest of what was found.',
  ],
  examples: [
    'payroll check accept shared-account --person SANDBOX-UK-02',
    'payroll check accept shared-account --person SANDBOX-UK-02 --until 31/12/2030',
    'payroll check accept shared-account --person SANDBOX-UK-02 --again',
  ],
  answer: { prints: 'json', shapes: [{ fields: acceptFields }] },
  async run(context, { arguments: { rule = '' }, options }) {
    const [id] = findRules([rule])
    const { person, again } = options
    if (id === undefined || person === undefined)
      throw usage('Whose finding? Name the person with --person <reference>.')
    if (again && options.weekEnding !== undefined)
      throw usage('--again and --week-ending cannot be combined.')
    const until = options.until === undefined ? null : await readDay(context, '--until', options.until)
    if (until !== null && until < context.today())
      throw usage(
        `--until ${spelledOut(until)} is over: the finding would be reported at once.`,
        'To report it again: --again',
      )
    const directory = await context.directory()
    const place = await acceptancePlace(context)
    const of = { ...place, rule: id, reference: person }
    const before = (await readAccepted(directory)).find((each) => isSameAccepted(each, of))
    if (again && !before) throw new Failure('not-found', `${id} is not accepted for ${person}.`)
    // A misspelt reference would keep no finding quiet, and the user would not notice.
    const findings = again ? [] : await findingsOf(context, id, person, options)
    const [first] = findings
    const reference = (first && nameOf(first)) ?? person
    const people = new Set(findings.map((each) => each.person?.id)).size
    if (people > 1)
      context.warn(
        `${people} people have the reference ${reference}, and what ${id} finds of each is accepted.`,
      )
    const at = new Date(context.host.now()).toISOString()
    const seen = until === null ? { seen: findings.map(digestOf) } : {}
    const one: Accepted = { ...of, reference, until, at, ...seen }
    await changeAccepted(directory, (acceptances) => [
      ...acceptances.filter((each) => !isSameAccepted(each, one)),
      ...(again ? [] : [one]),
    ])
    context.writes.changedHere()
    const ofThem = await commandLine(context, 'check', 'accept', id, '--person', reference, '--again')
    const when = until === null ? 'as long as it finds the same' : `until ${spelledOut(until)}`
    const sentence = again
      ? `${id} is reported for ${person} again.`
      : `${id} is kept quiet for ${reference} ${when}.\nTo have it reported again: ${ofThem}`
    const answer: ValuesOf<typeof acceptFields> = { rule: id, reference, until, accepted: !again }
    await context.output.value(answer, `${sentence}\n`)
  },
}

const accepted: Verb = {
  name: 'accepted',
  isLocal: true,
  summary: 'List the findings that are kept quiet',
  examples: ['payroll check accepted'],
  answer: { prints: 'json', shapes: [{ list: true, fields: acceptedFields }] },
  async run(context) {
    const quiet = await readQuietFindings(context)
    const rows = quiet.map(
      ({ rule, reference, until, at }): ValuesOf<typeof acceptedFields> => ({ rule, reference, until, at }),
    )
    await context.output.list(rows, {
      columns: ['rule', 'reference', 'until', 'at'],
      fields: acceptedFields,
    })
    if (context.output.format.isForPerson && rows.length === 0) context.note('No finding is kept quiet.')
  },
}

const severity = choice('Severity', Object.keys(severities) as Severity[])

const countryOrNone = choice('Country', countryIds, { nullable: true })

const ruleFields = {
  rule: text('Rule'),
  severity,
  country: countryOrNone,
  sentence: text('What it looks for'),
  source: text('The law, the standard or the page that it follows'),
  needs: array('The fields without which it says nothing', text('')),
  facts: array('The facts of the law that it judges by: payroll facts', text('')),
  lists: array('The lists that it looks at, besides the people', text('')),
}

const explainRules: Verb = {
  name: 'rules',
  isLocal: true,
  summary: 'Explain each rule, with its source',
  arguments: [{ name: 'rule', summary: 'only these', optional: true, variadic: true }],
  options: ['only'],
  examples: ['payroll check rules', 'payroll check rules below-minimum', 'payroll check rules --json'],
  answer: { prints: 'json', shapes: [{ list: true, fields: ruleFields }] },
  async run(context, { options, words = [] }) {
    const named = [...(options.only ?? []), ...words]
    const ids = named.length > 0 ? findRules(named) : ruleIds
    const rows = ids.map((id): ValuesOf<typeof ruleFields> => {
      const { severity, sentence, source, facts = [], lists = [], country } = ruleOf(id)
      return {
        rule: id,
        severity,
        country: country ?? null,
        sentence,
        source,
        needs: [...new Set(countryIds.flatMap((each) => needsOf(ruleOf(id), each)))],
        facts: [...facts],
        lists: [...lists],
      }
    })
    const { bold, dim } = context.output.style
    const fold = (words: string) => wrapText(words, screenWidth(context.host.stdout), '  ')
    const lines = rows.flatMap(({ rule, severity, sentence, source }) => [
      `${bold(rule)}  ${dim(severities[severity])}`,
      fold(sentence),
      dim(fold(`Source: ${source}`)),
    ])
    await showReport(context, () => rows, { fields: ruleFields, text: () => `${lines.join('\n')}\n` })
  },
}

const findingFields = {
  severity,
  rule: text('Rule'),
  country: countryOrNone,
  reference: text('Reference', { nullable: true }),
  name: text('Name', { nullable: true }),
  seen: text('What was seen'),
  command: text('To mend it'),
  id: text('ID', { nullable: true }),
  values: object('Values', {
    sortCode: anything('Sort code', { optional: true }),
    accountNumber: anything('Account number', { optional: true }),
    IBANReference: anything('IBAN', { optional: true }),
    SWIFTNo: anything('BIC (SWIFT)', { optional: true }),
    NINumber: anything('National Insurance number', { optional: true }),
    ppsNumber: anything('PPS number', { optional: true }),
    DOB: anything('Date of birth', { optional: true }),
  }),
}

export const check: Verb = {
  name: 'check',
  mayBePartial: true,
  summary: 'Find what stops pay, what is likely wrong and what is to be reviewed, before payday',
  options: [...countryOptions, 'weekEnding', 'payDate', 'only'],
  optionTexts: { payDate: 'the day on which it is paid: NI letters and PRSI classes go by the age on it' },
  // Without a country, the people of all are checked.
  namesCountry: true,
  notes: [
    'Without a country, the people of every country are checked. It reads the lists of people, and the timesheets, payment rates and payslips where a rule needs them, each whole and once, and sends nothing that changes anything. A list that is short, or changes while it is read, is exit 10, and nothing is reported.',
    'People who start later are checked as well. What is found of them is to be reviewed until they start. Whose bank details are other ones than before: payroll changes --fields bank',
    'Timesheets are those of the week that --week-ending names, or else those of the last 28 days and later. What the service does not return is reported once, and does not count as checked.',
    'Exit 0: nothing was found. Exit 9: something was found. Exit 10: the service shows no people, or not those of the country that the command or the profile names (of every country that the service has, where neither does), nothing was found but the timesheets or the payslips could not be read, or something could not be seen that a rule of --only needs. In cron, send the answer to /dev/null: then payroll prints something only where it found something.',
  ],
  examples: [
    'payroll check',
    'payroll check --week-ending "last sunday" --ireland',
    'payroll check --only no-bank --only tax-details --json',
    'payroll check --out check.xlsx',
    'payroll check --quiet --errors json >/dev/null   # in cron: silent when all is well',
  ],
  verbs: [accept, accepted, explainRules],
  answer: { prints: 'json', shapes: [{ list: true, fields: findingFields }] },
  async run(context, { options }) {
    const quiet = await readQuietFindings(context)
    const result = await runCheck(context, chosenRules(options), options)
    assertSomebody(context, result.people, 'checked')
    const isQuiet = (finding: CheckFinding) => {
      const named = { rule: finding.rule, reference: nameOf(finding) ?? '' }
      return quiet.some((each) => isSameAccepted(each, { ...each, ...named }) && isAsSeen(each, finding))
    }
    const findings = result.findings.filter((finding) => !isQuiet(finding))
    const hidden = result.findings.length - findings.length
    const rowsOf = () => Promise.all(findings.map((finding) => findingRow(context, finding)))
    await showReport(context, rowsOf, {
      fields: findingFields,
      text: (rows) => reportOf(context, rows),
      remarks: [...(options.only ? [] : result.unseen), ...result.notes],
    })
    for (const fund of result.withoutRule)
      context.note(`${fund} was not checked: payroll has no rule for it.`)
    if (hidden > 0)
      context.note(`${plural(hidden, 'finding')} kept quiet. To list them: payroll check accepted`)
    const summary = findings.length === 0 ? 'Nothing was found.' : findingSummary(findings)
    const assertAllShown = () => assertPeopleShown(context, options, result.closed, 'checked', summary)
    if (options.only) {
      assertSeen(summary, result.unseen)
      await assertAllShown()
    }
    if (findings.length > 0)
      throw new Failure('partial', summary, {
        found: true,
        hint: 'What a rule means: payroll check rules',
        resume: 'To keep one quiet: payroll check accept <rule> --person <reference>',
      })
    assertSeen(summary, result.unseenLists)
    await assertAllShown()
    if (result.people > 0) context.note(`${summary.slice(0, -1)}, of ${plural(result.people, 'person')}.`)
  },
}

interface FindingRow extends ValuesOf<typeof findingFields> {
  readonly rule: RuleId
}

async function findingRow(context: Context, finding: CheckFinding): Promise<FindingRow> {
  const { severity, rule, person, reference, seen, values = {} } = finding
  return {
    severity,
    rule,
    country: person?.country.id ?? null,
    reference: reference ?? null,
    name: person?.name ?? null,
    seen,
    command: await mendingCommand(context, finding),
    id: person?.id ?? null,
    values,
  }
}

async function mendingCommand(context: Context, { person, mend, isShared }: CheckFinding) {
  if ('run' in mend) return commandLine(context, ...mend.run)
  const referenceOrId = person?.reference ?? person?.id ?? ''
  // A reference that begins with a dash would be read as an option, and one of two people names neither.
  const needsId = referenceOrId.startsWith('-') || isShared
  const name = needsId ? (person?.id ?? referenceOrId) : referenceOrId
  const isId = needsId && person?.id !== undefined ? ['--id'] : []
  if ('see' in mend && mend.see === 'payslips') return commandLine(context, 'payslips', 'list', name)
  const flag = person ? await countryFlag(context, person.country) : []
  if ('see' in mend) {
    const reveal = mend.reveal ? ['--reveal'] : []
    return commandLine(context, 'candidates', 'get', name, ...isId, ...flag, ...reveal)
  }
  const sets = mend.set.flatMap((each) => ['--set', each])
  return commandLine(context, 'candidates', 'update', name, ...isId, ...flag, ...sets)
}

function reportOf(context: Context, rows: readonly FindingRow[]): string {
  const { heading } = context.output.style
  const sections = [...groupBy(rows, ({ severity }) => severity)].map(([severity, group]) => {
    const rules = [...groupBy(group, ({ rule }) => rule)]
    const title = `${severities[severity as Severity]} (${groupDigits(group.length)})`
    return [heading(title), ...rules.map(([rule, own]) => textOfRule(context, rule as RuleId, own))].join(
      '\n\n',
    )
  })
  return sections.length === 0 ? '' : `${sections.join('\n\n')}\n`
}

/** A rule, and the people whom it finds, each with the command that mends it; one that is the same for many stands below them. */
function textOfRule(context: Context, rule: RuleId, rows: readonly FindingRow[]): string {
  const width = screenWidth(context.host.stdout)
  const title = `${context.output.style.bold(rule)}: ${ruleOf(rule).sentence}`
  const lines = [wrapText(title, width)]
  for (const [at, row] of rows.entries()) {
    lines.push(wrapText(safeText(`${whomOf(row)}: ${row.seen}`), width, '  '))
    if (row.command !== rows[at + 1]?.command) lines.push(`    ${safeText(row.command)}`)
  }
  return lines.join('\n')
}

function whomOf({ country, reference, name }: FindingRow): string {
  const place = country && countryById[country].place
  return [reference, name, place && `(${place})`].filter(Boolean).join(' ')
}

/** `12 findings: stops pay 3, likely wrong 5, to review 4.` */
function findingSummary(findings: readonly CheckFinding[]): string {
  const parts = (Object.keys(severities) as Severity[]).flatMap((severity) => {
    const { length } = findings.filter((each) => each.severity === severity)
    return length === 0 ? [] : [`${severities[severity].toLowerCase()} ${groupDigits(length)}`]
  })
  return `${plural(findings.length, 'finding')}: ${parts.join(', ')}.`
}

async function runCheck(context: Context, rules: readonly RuleId[], options: Options): Promise<CheckResult> {
  const client = await context.client()
  const { weekEnding } = options
  const last = weekEnding === undefined ? undefined : await readDay(context, '--week-ending', weekEnding)
  const { kind } = await context.profile()
  // Without a week, today may still be the pay day.
  const payDate = payDateOf(await payDayOf(context, options), last ?? dayAfter(context.today(), -1))
  const end = last ?? context.today()
  const first = dayAfter(end, last === undefined ? -usualDays : -6)
  const doubt = payDate && doubtOfPayDate(payDate, { first, last: end })
  if (doubt) throw usage(capital(doubt))
  const facts = await context.facts()
  if (facts.importedOn !== undefined)
    context.note(`Judged by facts that were imported on ${spelledOut(facts.importedOn)} too: payroll facts.`)
  return showReading(context, (onPerson) =>
    checkPayroll(client, {
      rules,
      country: chosenCountry(options)?.id,
      today: context.today(),
      weekEnding: last,
      isAskedFor: options.only !== undefined,
      facts,
      payDate,
      isPractice: kind === 'sandbox',
      onPerson,
    }),
  )
}

/**
 * The rules of --only, or else all. Where no week is named, those that need one are left out, or refused if
 * --only names them.
 */
function chosenRules({ only, weekEnding }: Options): readonly RuleId[] {
  if (!only) return ruleIds.filter((id) => weekEnding !== undefined || !ruleOf(id).needsWeek)
  const ids = findRules(only)
  const ofWeek = ids.find((id) => ruleOf(id).needsWeek)
  if (ofWeek && weekEnding === undefined) throw usage(`${ofWeek} is about one week: add --week-ending <day>.`)
  return ids
}

function findRules(names: readonly string[]): readonly RuleId[] {
  return names.map((name) => {
    const id = ruleIds.find((each) => each === name.toLowerCase())
    if (id) return id
    throw usage(`There is no rule ${name}.`, 'Every rule, with what it looks for: payroll check rules')
  })
}

/** What a rule finds of a person. Throws exit 5 where it finds nothing. */
async function findingsOf(
  context: Context,
  rule: RuleId,
  person: string,
  options: Options,
): Promise<readonly CheckFinding[]> {
  const { findings } = await runCheck(context, [rule], options)
  const own = findings.filter((finding) => {
    const known = { id: finding.person?.id, reference: nameOf(finding) }
    return matchNames([known], readName(person)).whole.length > 0
  })
  if (own.length > 0) return own
  throw new Failure('not-found', `${rule} finds nothing for ${person}, so there is nothing to accept.`, {
    hint: `Whom it finds: payroll check --only ${rule}`,
  })
}

/** What a finding is accepted under: the reference of its person, or else the id. */
const nameOf = ({ reference, person }: CheckFinding) => reference ?? person?.id

async function readQuietFindings(context: Context): Promise<readonly Accepted[]> {
  const { profile, origin } = await acceptancePlace(context)
  const directory = await context.directoryIfAny()
  const acceptances = directory === undefined ? [] : await readAccepted(directory)
  return acceptances.filter(
    (each) => each.profile === profile && each.origin === origin && isQuietOn(each, context.today()),
  )
}

async function acceptancePlace(context: Context): Promise<AcceptedAt> {
  const { name, origin = null } = await context.profile()
  return { profile: name, origin }
}
