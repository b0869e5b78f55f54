import { compile, registerFunction, TreeInterpreter } from '@jmespath-community/jmespath'
import { usage } from '../errors.ts'
import { ExactNumber, numberOf } from '../json/numbers.ts'
import { isObject, type Json } from '../json/path.ts'

/**
 * A JMESPath expression as a function of the whole answer. Throws a usage failure for one that cannot be read, and
 * the function does for one that does not fit the answer.
 */
export function query(expression: string): (value: Json) => Json {
  const compiled = read(expression)
  const ofAnyType = [{ types: [1] }]
  registerFunction(nearest, ([value]) => nearestTo(value) as never, ofAnyType, { override: true })
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
    return prepared(compile(markLiterals(expression)))
  } catch {
    const at = firstError(expression)
    const where = at > expression.length ? 'it ends too early' : `character ${at} is "${expression[at - 1]}"`
    throw usage(`The --query expression is not valid JMESPath: ${where}.`, "For example: --query '[].email'")
  }
}

/** The character at which an expression stops being the beginning of a valid one, from 1. The parser does not say it. */
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
 * JMESPath knows the numbers of JavaScript alone. An ExactNumber goes through an expression as it is and is equal to
 * the same digits; where it is compared by size, or is a key to sort by, it stands for the double that is nearest.
 */

/** The function that such a place is given around what stands in it. No word of JMESPath. */
const nearest = 'payroll_nearest_number'

const bySize = ['GT', 'GTE', 'LT', 'LTE']
const byKey = ['sort_by', 'min_by', 'max_by']

/** In front of the digits of a literal that no double holds, until the expression is read. */
const mark = 'payroll exact number '

/** The expression with each such literal as text. */
function markLiterals(expression: string): string {
  return expression.replace(/`\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*`/g, (literal, number: string) =>
    numberOf(number) instanceof ExactNumber ? `\`"${mark}${number}"\`` : literal,
  )
}

/** The same expression, read, with its literals and its comparisons made ready for ExactNumbers. */
function prepared<Node>(node: Node): Node {
  return rewritten(node) as Node
}

function rewritten(node: Json): Json {
  if (Array.isArray(node)) return node.map(rewritten)
  if (!isObject(node)) return node
  if (node.type === 'Literal') return literal(node)
  const whole = Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, rewritten(inner)]))
  if (node.type === 'Comparator' && bySize.includes(String(node.name))) {
    return { ...whole, left: around(whole.left), right: around(whole.right) }
  }
  if (node.type === 'Function' && byKey.includes(String(node.name)) && Array.isArray(whole.children)) {
    const [list, key] = whole.children
    return isObject(key) && key.child !== undefined
      ? { ...whole, children: [list, { ...key, child: around(key.child) }] }
      : whole
  }
  return whole
}

const around = (child: Json) => ({ type: 'Function', name: nearest, children: [child] })

function literal(node: Json): Json {
  const { value } = node as { value: Json }
  if (typeof value !== 'string' || !value.startsWith(mark)) return node
  return { type: 'Literal', value: new ExactNumber(value.slice(mark.length)) }
}

/** The nearest double of an ExactNumber; anything else as it is. */
function nearestTo(value: Json): Json {
  return value instanceof ExactNumber ? Number(value.text) : value
}
