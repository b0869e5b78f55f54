import { ExactNumber } from '../../json/exact-number.ts'
import { isObject, type Json } from '../../json/path.ts'
import { numberOf } from '../../json/written-number.ts'

/**
 * JMESPath knows the numbers of JavaScript alone. An ExactNumber goes through an expression as it is and is equal to
 * the same digits; where it is compared by size, or is a key to sort by, it stands for the double that is nearest.
 */

/** The function that such a place is given around what stands in it. No word of JMESPath. */
export const nearest = 'payroll_nearest_number'

const bySize = ['GT', 'GTE', 'LT', 'LTE']
const byKey = ['sort_by', 'min_by', 'max_by']

/** In front of the digits of a literal that no double holds, until the expression is read. */
const mark = 'payroll exact number '

/** The expression with each such literal as text. */
export function markLiterals(expression: string): string {
  return expression.replace(/`\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*`/g, (literal, number: string) =>
    numberOf(number) instanceof ExactNumber ? `\`"${mark}${number}"\`` : literal,
  )
}

/** The same expression, read, with its literals and its comparisons made ready for ExactNumbers. */
export function prepared<Node>(node: Node): Node {
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
export function nearestTo(value: Json): Json {
  return value instanceof ExactNumber ? Number(value.text) : value
}
