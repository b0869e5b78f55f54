import { compile, registerFunction, TreeInterpreter } from '@jmespath-community/jmespath'
import { usage } from '../errors.ts'
import { ExactNumber, parseNumber } from '../files/json/numbers.ts'
import { isObject, type Json } from '../files/json/path.ts'

/**
 * Compiles an expression. Throws a usage failure where it is not valid; the function throws one where it does
 * not fit.
 */
export function query(expression: string): (value: Json) => Json {
  const compiled = parseQuery(expression)
  const ofAnyType = [{ types: [1] }]
  registerFunction(
    nearest,
    ([value]) => (value instanceof ExactNumber ? Number(value.text) : value) as never,
    ofAnyType,
    { override: true },
  )
  const ofNumbers = [{ types: [8] }]
  registerFunction(exactSum, ([numbers]) => sumOf(numbers as number[]), ofNumbers, { override: true })
  return (value) => {
    try {
      return TreeInterpreter.search(compiled, value as never)
    } catch {
      throw usage(
        'The --query expression does not fit this result: a function or operator was given a value of the wrong type.',
        'JMESPath orders numbers only.',
      )
    }
  }
}

function parseQuery(expression: string) {
  try {
    const tree = compile(markLiterals(expression))
    return rewriteNode(tree) as typeof tree
  } catch (error) {
    const why = String((error as Error).message).replace(/^Syntax error[:,] /, '')
    throw usage(`The --query expression is not valid JMESPath: ${why}.`, 'For example: --query "[].email"')
  }
}

/** Text in quotation marks of any kind: only a literal can hold a bare text. */
const quoted = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`((?:\\`|[^`])*)`/g

/** The expression with each literal that is not JSON as a text, as the aws tool takes it: `Sample` is `"Sample"`. */
function withBareTexts(expression: string): string {
  return expression.replace(quoted, (whole, literal?: string) => {
    if (literal === undefined) return whole
    const text = literal.trim()
    try {
      JSON.parse(text)
      return whole
    } catch {
      return /["[{]/.test(text) ? whole : `\`${JSON.stringify(text)}\``
    }
  })
}

/**
 * JMESPath knows only JavaScript numbers. An ExactNumber passes through an expression unchanged, and equals
 * the same digits. Where numbers are compared by size or sorted, the nearest double stands for it.
 */

/** The function that gives this nearest double. No word of JMESPath. */
const nearest = 'payroll_nearest_number'

/** Stands for `sum`, which adds doubles: 0.1 and 0.2 are 0.30000000000000004. No word of JMESPath. */
const exactSum = 'payroll_sum'

const bySize = ['GT', 'GTE', 'LT', 'LTE']
const byKey = ['sort_by', 'min_by', 'max_by']

/** Marks a literal whose digits no double holds, until the expression is parsed. */
const mark = 'payroll exact number '

function markLiterals(expression: string): string {
  return withBareTexts(expression).replace(
    /`\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*`/g,
    (literal, number: string) =>
      parseNumber(number) instanceof ExactNumber ? `\`"${mark}${number}"\`` : literal,
  )
}

function rewriteNode(node: Json): Json {
  if (Array.isArray(node)) return node.map(rewriteNode)
  if (!isObject(node)) return node
  if (node.type === 'Literal') return literal(node)
  const whole = Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, rewriteNode(inner)]))
  if (node.type === 'Comparator' && bySize.includes(String(node.name))) {
    return { ...whole, left: around(whole.left), right: around(whole.right) }
  }
  if (node.type === 'Function' && byKey.includes(String(node.name)) && Array.isArray(whole.children)) {
    const [list, key] = whole.children
    return isObject(key) && key.child !== undefined
      ? { ...whole, children: [list, { ...key, child: around(key.child) }] }
      : whole
  }
  if (node.type === 'Function' && node.name === 'sum') return { ...whole, name: exactSum }
  return whole
}

/** The sum of these numbers: of amounts with at most two decimals to the penny, of others as doubles add up. */
function sumOf(numbers: readonly number[]): number {
  const pence = numbers.map((number) => Math.round(number * 100))
  const total = pence.reduce((sum, each) => sum + each, 0)
  const areAmounts = pence.every((each, at) => each / 100 === numbers[at]) && Number.isSafeInteger(total)
  return areAmounts ? total / 100 : numbers.reduce((sum, each) => sum + each, 0)
}

const around = (child: Json) => ({ type: 'Function', name: nearest, children: [child] })

function literal(node: Json): Json {
  const { value } = node as { value: Json }
  if (typeof value !== 'string' || !value.startsWith(mark)) return node
  return { type: 'Literal', value: new ExactNumber(value.slice(mark.length)) }
}
