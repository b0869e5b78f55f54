import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Context } from '../context/context.ts'
import { addFacts, removeImportedFacts } from '../context/facts/own-facts.ts'
import { readFacts } from '../context/facts/read-facts.ts'
import { invalidInput, usage } from '../errors.ts'
import { asOpenFailure } from '../files/table/open-failure.ts'
import { countryById, countryIds } from '../model/countries/countries.ts'
import { facts as builtIn, type Facts, hasRunOut } from '../model/facts/facts.ts'
import { anything, array, choice, date, flag, integer, text, type ValuesOf } from '../model/fields/field.ts'
import { screenWidth } from '../render/text/fold-message.ts'
import { wrapText } from '../render/text/wrap-text.ts'
import { spelledOut } from '../text/day.ts'
import { agree, plural, wordList } from '../text/words.ts'
import { chosenCountry, type Options } from './cli/options.ts'
import { countryOptions } from './cli/record-types.ts'
import type { Input, Verb } from './cli/verb.ts'
import { readDay } from './kit/read-day.ts'
import { showReport } from './kit/show-report.ts'

const factStates = ['in force', 'has run out', 'to come'] as const

const writtenFields = {
  name: text('Fact'),
  country: choice('Country', countryIds),
  from: date('From'),
  until: date('Until'),
  value: anything('Value'),
  source: text('Source'),
  looked: date('Read at its source on'),
}

const factRowFields = {
  ...writtenFields,
  state: choice('State', factStates),
  imported: flag('Imported'),
}

type FactRow = ValuesOf<typeof factRowFields>

const importedFields = {
  imported: integer('How many facts are new'),
  same: integer('How many are as they were'),
  facts: array('The names of those that are new', text('')),
}

const notes = [
  'Rates, bands, thresholds, ages and lists of the law, each with a first and a last day and a source. check, the form and imports judge by those in force. After the last day of one nothing is judged by it, and check says so: an older one is never used instead.',
  'facts export prints all of them. Correct what has changed, add what is new, and facts import takes the file: what it has counts before ours of the same days, on this computer, until facts reset. It takes a single fact too, and refuses the whole file where a fact of it is wrong (exit 3). A fact that is the same as that of payroll is not stored, so that a later version may correct it.',
  'It also takes the two tables of the banks for the modulus check, as Vocalink publishes them, which may not be handed on with payroll: then an account number that does not fit its sort code is doubted.',
] as const

const shared = {
  isLocal: true,
  namesCountry: true,
  options: [...countryOptions, 'country', 'on'],
  optionTexts: { country: 'only the facts of this country: uk or ireland' },
  answer: { prints: 'json', shapes: [{ list: true, fields: factRowFields }] },
  run: listFacts,
} as const satisfies Partial<Verb>

const list: Verb = {
  ...shared,
  name: 'list',
  summary: 'List the facts of a day, with their sources, and what has run out',
  arguments: [{ name: 'name', summary: 'only the fact of this name: minimum-wage', optional: true }],
  examples: [
    'payroll facts list',
    'payroll facts list minimum-wage --uk',
    'payroll facts list --ireland --on 2027-01-01',
  ],
}

const exported: Verb = {
  name: 'export',
  isLocal: true,
  namesCountry: true,
  summary: 'Print all facts, yours and ours, as facts import takes them',
  options: [...countryOptions, 'country'],
  optionTexts: shared.optionTexts,
  answer: { prints: 'json', shapes: [{ list: true, fields: writtenFields }] },
  examples: ['payroll facts export > facts.json', 'payroll facts export --uk > uk.json'],
  async run(context, { options }) {
    const { all } = await context.facts()
    const country = countryOf(options)
    const rows = all.filter((each) => country === undefined || each.country === country)
    await context.output.list(rows, { fields: writtenFields })
  },
}

const imported: Verb = {
  name: 'import',
  isLocal: true,
  localEffect: 'changed',
  readsInput: 'rows',
  summary: 'Lay the facts of a file over those of payroll, on this computer',
  arguments: [
    { name: 'file', summary: 'what facts export printed, or a table of the banks for the modulus check' },
  ],
  notes: notes.slice(1),
  answer: { prints: 'json', shapes: [{ fields: importedFields }] },
  examples: ['payroll facts import facts.json', 'payroll facts import valacdos.txt'],
  async run(context, { arguments: { file = '' } }) {
    const reading = readFacts(await readGiven(context, file), {
      name: basename(file),
      today: context.today(),
    })
    if ('flaws' in reading)
      throw invalidInput(
        `${file === '-' ? 'The input' : file} was not imported: ${plural(reading.flaws.length, 'thing')} in it ${agree(reading.flaws.length, 'is')} wrong.`,
        reading.flaws,
        'To see how a fact is written: payroll facts export',
      )
    const at = new Date(context.host.now()).toISOString()
    const newFacts = await addFacts(await context.directory(), reading.facts, at)
    context.writes.changedHere()
    const names = [...new Set(newFacts.map(({ name }) => name))]
    const answer: ValuesOf<typeof importedFields> = {
      imported: newFacts.length,
      same: reading.facts.length - newFacts.length,
      facts: names,
    }
    const sentence =
      newFacts.length === 0
        ? 'Nothing is new: all of these facts were there.'
        : `Imported ${plural(newFacts.length, 'fact')}: ${wordList(names, 'and')}. They count before those of payroll.\nTo use those of payroll again: payroll facts reset`
    await context.output.value(answer, `${sentence}\n`)
  },
}

const reset: Verb = {
  name: 'reset',
  isLocal: true,
  deletes: true,
  localEffect: 'changed',
  summary: 'Remove what was imported: the facts of payroll count again',
  answer: { prints: 'nothing' },
  examples: ['payroll facts reset'],
  async run(context) {
    const isGone = await removeImportedFacts(await context.directory())
    if (isGone) context.writes.changedHere()
    context.note(isGone ? 'The facts of payroll are used again.' : 'No facts were imported.')
  },
}

export const facts: Verb = {
  ...shared,
  name: 'facts',
  summary: 'List the rates, bands and thresholds of the law that payroll judges by, and what has run out',
  notes,
  examples: [
    'payroll facts',
    'payroll facts list --uk --on 2027-04-06',
    'payroll facts list --json | jq \'.[] | select(.state == "has run out")\'',
  ],
  verbs: [list, exported, imported, reset],
}

const countryOf = (options: Options) =>
  countryIds.find((id) => id === options.country) ?? chosenCountry(options)?.id

async function listFacts(context: Context, { arguments: { name }, options }: Input): Promise<void> {
  const day = options.on === undefined ? context.today() : await readDay(context, '--on', options.on)
  const country = countryOf(options)
  const facts = await context.facts()
  const names = [...new Set(facts.all.map((fact) => fact.name))]
  if (name !== undefined && !names.some((each) => each === name))
    throw usage(`There is no fact called ${name}.`, `They are called ${wordList(names, 'and')}.`)
  const rows = rowsOn(facts, day).filter(
    (row) => (country === undefined || row.country === country) && (name === undefined || row.name === name),
  )
  const over = rows.filter(({ state }) => state === 'has run out')
  const named = over.map(
    (row) => `${row.name} ${countryById[row.country].inPlace} (${spelledOut(row.until)})`,
  )
  await showReport(context, () => rows, {
    fields: factRowFields,
    text: () => rows.map((row) => paragraphOf(row, screenWidth(context.host.stdout))).join('\n'),
    remarks:
      over.length === 0
        ? []
        : [
            `${plural(over.length, 'fact')} ${agree(over.length, 'has')} run out by ${spelledOut(day)}, and nothing is judged by ${agree(over.length, 'it')}: ${wordList(named, 'and')}. Add newer ones to this file: payroll facts export --out facts.json. Then import it: payroll facts import facts.json`,
          ],
  })
}

function paragraphOf(row: FactRow, width: number): string {
  const [from, until] = [spelledOut(row.from), spelledOut(row.until)]
  const when = {
    'in force': `until ${until}`,
    'has run out': `has run out on ${until}`,
    'to come': `to come, from ${from} until ${until}`,
  }[row.state]
  const { place } = countryById[row.country]
  const head = `${row.name}, ${place}: ${when}${row.imported ? ' (imported)' : ''}`
  const lines = [factInWords(row.value), row.source].map((text) => wrapText(text, width, '  '))
  return `${[head, ...lines].join('\n')}\n`
}

/** The facts of a day: those in force, those that begin later, and the last of each that has run out. */
function rowsOn(facts: Facts, day: string): FactRow[] {
  return facts.all.flatMap((fact): FactRow[] => {
    const isNow = facts.on(fact.name, fact.country, day) === fact
    const isOver = !isNow && hasRunOut(facts, fact, day)
    const state = isNow ? 'in force' : fact.from > day ? 'to come' : isOver ? 'has run out' : undefined
    return state === undefined ? [] : [{ ...fact, state, imported: !builtIn.includes(fact) }]
  })
}

/** A value for a person: `from21 12.71, from18 10.85`; for a long list, how much is in it. */
function factInWords(value: unknown): string {
  if (Array.isArray(value))
    return value.length > mostShown || typeof value[0] === 'object'
      ? plural(value.length, 'value')
      : value.join(' ')
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = Object.entries(value)
  if (entries.length > mostShown) return plural(entries.length, 'value')
  return entries
    .map(([name, each]) => (entries.length === 1 ? factInWords(each) : `${name} ${factInWords(each)}`))
    .join(', ')
}

const mostShown = 8

async function readGiven({ host }: Context, file: string): Promise<Uint8Array> {
  if (file === '-') return buffer(host.stdin)
  try {
    return await readFile(file)
  } catch (error) {
    throw asOpenFailure(file, error)
  }
}
