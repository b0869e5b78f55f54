import type { Issue } from '../../errors.ts'
import { formatPath, type Json } from '../../files/json/path.ts'
import { NotJson, readJson } from '../../files/json/read-json.ts'
import { type AnyFact, type Fact, isSameFact } from '../../model/facts/facts.ts'
import { isSortCode } from '../../model/standards/bank.ts'
import { monthsAfter } from '../../text/day.ts'
import { readFact } from './fact-shapes.ts'

type FactsRead = { readonly facts: readonly AnyFact[] } | { readonly flaws: readonly Issue[] }

interface About {
  /** The name of the file, for the source of a table that says none. */
  readonly name: string
  readonly today: string
}

/**
 * Reads a file of facts: the list that `facts export` prints, or one of the two tables of
 * the banks for the modulus check, as Vocalink publishes them.
 */
export function readFacts(bytes: Uint8Array, about: About): FactsRead {
  const text = new TextDecoder().decode(bytes)
  if (/^\s*\d{6}\s+\d{6}\b/.test(text)) return readWeights(text, about)
  let content: Json
  try {
    content = readJson(bytes)
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    return { flaws: [{ path: '', message: error.message }, ...error.issues] }
  }
  const flaws: Issue[] = []
  const facts: AnyFact[] = []
  for (const [index, value] of (Array.isArray(content) ? content : [content]).entries()) {
    const reading = readFact(value)
    if ('flaws' in reading) {
      for (const { path, message } of reading.flaws)
        flaws.push({ path: formatPath([index, ...path]), message })
      continue
    }
    const { fact } = reading
    if (facts.some((each) => isSameFact(each, fact) && each.from <= fact.until && fact.from <= each.until))
      flaws.push({
        path: formatPath([index, 'from']),
        message: `${fact.name} of these days stands before it too`,
      })
    facts.push(fact)
  }
  if (flaws.length > 0) return { flaws }
  return facts.length === 0 ? { flaws: [{ path: '', message: 'it has no fact' }] } : { facts }
}

/** assumed: the banks publish their table several times a year, so that one of more than a year ago is not used. */
const monthsOfTable = 12

/** A row of weights, `010004 016715 MOD11 0 0 … 1 [exception]`, or of a sort code that is checked as another, `938173 938017`. */
function readWeights(text: string, { name, today }: About): FactsRead {
  const rows: Fact<'sort-code-weights'>['value']['rows'][number][] = []
  const substitutes: Record<string, string> = {}
  const flaws: Issue[] = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const [from = '', to = '', method, ...numbers] = line.trim().split(/\s+/)
    const flaw = (message: string) => void flaws.push({ path: '', message: `line ${at + 1}: ${message}` })
    if (![from, to].every(isSortCode)) flaw('it does not begin with two sort codes of six digits')
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
