import { compile, registerFunction, TreeInterpreter } from '@jmespath-community/jmespath'
import { usage } from '../errors.ts'
import { ExactNumber, numberOf } from '../files/json/numbers.ts'
import { isObject, type Json } from '../files/json/path.ts'
import type { Fields } from '../model/fields/field.ts'
import { nearest as nearestName } from '../model/fields/nearest.ts'

/**
 * Compiles an expression. Throws a usage failure where it is not valid; the function throws one where it does
 * not fit.
 */
export function query(expression: string): (value: Json) => Json {
  const compiled = read(expression)
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

function read(expression: string) {
  try {
    const tree = compile(markLiterals(expression))
    return rewriteNode(tree) as typeof tree
  } catch {
    const at = firstError(expression)
    const where = at > expression.length ? 'it ends too early' : `character ${at} is "${expression[at - 1]}"`
    throw usage(`The --query expression is not valid JMESPath: ${where}.`, 'For example: --query "[].email"')
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

/** The place, from 1, where an expression stops being the beginning of a valid one: the parser does not say it. */
function firstError(expression: string): number {
  for (let end = expression.length; end > 0; end -= 1) {
    try {
      compile(expression.slice(0, end))
      return end + 1
    } catch (error) {
      if (error instanceof Error && error.name === 'ParserError' && error.message.includes('(EOF)'))
        return end + 1
    }
  }
  return 1
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
      numberOf(number) instanceof ExactNumber ? `\`"${mark}${number}"\`` : literal,
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

/** Functions whose result can have names that stand neither in the expression nor in the answer. */
const makeNames = ['from_items', 'group_by']

/** Remarks on names that nothing in the value has. `declared`: fields that are not always shown. */
export function remarksOn(expression: string, value: Json, declared: Fields = {}): readonly string[] {
  const there = namesInValue(value)
  const { fields, made, isOpen } = namesInQuery(compile(markLiterals(expression)) as unknown as Json)
  if (there.size === 0 || isOpen) return []
  const names = new Set([...there, ...made, ...declaredNames(declared)])
  const unknown = [...fields].filter((name) => !names.has(name))
  return unknown.map((name) => {
    const near = nearestName([...names], name)
    const meant = near === undefined ? '' : ` Did you mean ${near}?`
    return `--query names ${name}, which nothing in the result has.${meant}`
  })
}

function* declaredNames(fields: Fields): Generator<string> {
  for (const [name, { fields: inner = {}, item }] of Object.entries(fields)) {
    yield name
    yield* declaredNames(inner)
    yield* declaredNames(item?.fields ?? {})
  }
}

function namesInQuery(
  node: Json,
  found = { fields: new Set<string>(), made: new Set<string>(), isOpen: false },
) {
  if (Array.isArray(node)) for (const inner of node) namesInQuery(inner, found)
  if (!isObject(node)) return found
  if (node.type === 'Field') found.fields.add(String(node.name))
  if (node.type === 'KeyValuePair') found.made.add(String(node.name))
  if (node.type === 'Literal') for (const name of namesInValue(node.value)) found.made.add(name)
  if (node.type === 'Function' && makeNames.includes(String(node.name))) found.isOpen = true
  for (const inner of Object.values(node)) namesInQuery(inner, found)
  return found
}

function namesInValue(value: Json, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const inner of value) namesInValue(inner, found)
  else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      found.add(name)
      namesInValue(inner, found)
    }
  }
  return found
}

const around = (child: Json) => ({ type: 'Function', name: nearest, children: [child] })

function literal(node: Json): Json {
  const { value } = node as { value: Json }
  if (typeof value !== 'string' || !value.startsWith(mark)) return node
  return { type: 'Literal', value: new ExactNumber(value.slice(mark.length)) }
}
