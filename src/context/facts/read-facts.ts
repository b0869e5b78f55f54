import type { Issue } from '../../errors.ts'
import { linesIn } from '../../files/json/lines.ts'
import { formatPath, type Json } from '../../files/json/path.ts'
import { NotJson, readJsonText } from '../../files/json/read-json.ts'
import { type AnyFact, type Fact, isSameFact } from '../../model/facts/facts.ts'
import { monthsAfter } from '../../model/standards/plausible.ts'
import { readFact } from './fact-shapes.ts'

/** The facts of a file, or everything that is wrong with it, each with its line. */
type FactsRead = { readonly facts: readonly AnyFact[] } | { readonly flaws: readonly Issue[] }

interface About {
  /** The name of the file, for the source of a table that says none. */
  readonly name: string
  /** YYYY-MM-DD */
  readonly today: string
}

/**
 * Reads a file of facts: the list that `facts export` prints, one fact a line, or one of the two tables of the banks for the
 * modulus check, as Vocalink publishes them.
 */
export function readFacts(text: string, about: About): FactsRead {
  const written = text.replace(/^\uFEFF/, '')
  if (/^\s*\d{6}\s+\d{6}\b/.test(written)) return readTable(written, about)
  const given = valuesIn(written)
  if ('flaws' in given) return given
  const flaws: Issue[] = []
  const facts: AnyFact[] = []
  const lines = new Map<AnyFact, number>()
  for (const [index, { value, lineOf }] of given.values.entries()) {
    const read = readFact(value)
    if ('flaws' in read) {
      for (const { path, message } of read.flaws)
        flaws.push({ path: formatPath([index, ...path]), message: `line ${lineOf(path)}: ${message}` })
      continue
    }
    const { fact } = read
    const other = facts.find(
      (each) => isSameFact(each, fact) && each.from <= fact.until && fact.from <= each.until,
    )
    if (other)
      flaws.push({
        path: formatPath([index, 'from']),
        message: `line ${lineOf(['from'])}: ${fact.name} of these days stands on line ${lines.get(other)} too`,
      })
    facts.push(fact)
    lines.set(fact, lineOf([]))
  }
  if (flaws.length > 0) return { flaws }
  return facts.length === 0 ? { flaws: [{ path: '', message: 'line 1: it has no fact' }] } : { facts }
}

interface Given {
  readonly value: Json
  /** The line of a place in it. */
  readonly lineOf: (path: readonly PropertyKey[]) => number
}

/** The values of a list, or of lines that have one each. */
function valuesIn(
  text: string,
): { readonly values: readonly Given[] } | { readonly flaws: readonly Issue[] } {
  const whole = tryParse(text)
  if (!(whole instanceof NotJson)) {
    const { lineOf } = linesIn(text)
    if (!Array.isArray(whole)) return { values: [{ value: whole, lineOf }] }
    return {
      values: whole.map((value, index) => ({ value, lineOf: (path) => lineOf([index, ...path]) })),
    }
  }
  const lines = text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [{ line, at: at + 1 }]))
  const values = lines.map(({ line, at }) => ({ value: tryParse(line), lineOf: () => at, at }))
  const [first] = values
  const isOfLines = first !== undefined && values.length > 1 && !(first.value instanceof NotJson)
  const wrong = isOfLines ? values.find(({ value }) => value instanceof NotJson) : undefined
  if (isOfLines && !wrong) return { values: values as readonly Given[] }
  const flaw = wrong?.at ?? linesIn(text).flaw ?? 1
  const { message, issues } = wrong ? (wrong.value as NotJson) : whole
  // The place in the message counts from the beginning of the line.
  const what = message.startsWith('it is not JSON') ? 'it is not JSON from here on' : message
  return { flaws: [{ path: '', message: `line ${flaw}: ${what}` }, ...issues] }
}

function tryParse(text: string): Json | NotJson {
  try {
    return readJsonText(text)
  } catch (error) {
    if (error instanceof NotJson) return error
    throw error
  }
}

/** assumed: the banks publish their table several times a year, so that one of more than a year ago is not used. */
const monthsOfTable = 12

/** A row of weights, `010004 016715 MOD11 0 0 … 1 [exception]`, or of a sort code that is checked as another, `938173 938017`. */
function readTable(text: string, { name, today }: About): FactsRead {
  const rows: Fact<'sort-code-weights'>['value']['rows'][number][] = []
  const substitutes: Record<string, string> = {}
  const flaws: Issue[] = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const [from = '', to = '', method, ...numbers] = line.trim().split(/\s+/)
    const flaw = (message: string) => void flaws.push({ path: '', message: `line ${at + 1}: ${message}` })
    if (![from, to].every((each) => /^\d{6}$/.test(each)))
      flaw('it does not begin with two sort codes of six digits')
    else if (method === undefined) substitutes[from] = to
    else if (method !== 'MOD10' && method !== 'MOD11' && method !== 'DBLAL')
      flaw('the third column is not MOD10, MOD11 or DBLAL')
    else if (
      !(numbers.length === 14 || numbers.length === 15) ||
      !numbers.every((each) => /^-?\d+$/.test(each))
    )
      flaw(`fourteen weights, and an exception where there is one; here are ${numbers.length} numbers`)
    else {
      const [weights, [exception]] = [numbers.slice(0, 14).map(Number), numbers.slice(14).map(Number)]
      rows.push({ from, to, method, weights, ...(exception !== undefined && { exception }) })
    }
  }
  if (flaws.length > 0) return { flaws }
  const common = {
    country: 'uk',
    from: today,
    until: monthsAfter(today, monthsOfTable),
    source: `the table of the banks for the modulus check: ${name}`,
    looked: today,
  } as const
  return {
    facts: [
      ...(rows.length > 0 ? [{ name: 'sort-code-weights', value: { rows }, ...common } as const] : []),
      ...(Object.keys(substitutes).length > 0
        ? [{ name: 'sort-code-substitutes', value: substitutes, ...common } as const]
        : []),
    ],
  }
}
