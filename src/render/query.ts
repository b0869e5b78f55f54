import { compile, isRegistered, registerFunction, TreeInterpreter } from '@jmespath-community/jmespath'
import { usage } from '../errors.ts'
import { sumOf } from '../files/json/numbers.ts'
import type { Json } from '../files/json/path.ts'

/**
 * Compiles an expression. Throws a usage failure where it is not valid; the function throws one where it does not fit.
 */
export function query(expression: string): (value: Json) => Json {
  const compiled = parseQuery(expression)
  // JMESPath adds doubles: 0.1 and 0.2 are 0.30000000000000004.
  registerFunction('sum', ([numbers]) => sumOf(numbers as number[]), [{ types: [8] }], { override: true })
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
    const compiled = compile(expression)
    assertUseful(compiled)
    return compiled
  } catch (error) {
    const why = String((error as Error).message).replace(/^Syntax error[:,] /, '')
    throw usage(
      `The --query expression is not valid JMESPath: ${why}.`,
      `For example: --query "[].email". A text stands in single quotes: --query "[?surname=='Sample'].email"`,
    )
  }
}

/**
 * Throws for a function that there is not, which would only fail once something was read, or written; for a text that is
 * put in order, of which JMESPath finds nothing; and for a number that a double changes: another record's id may be the
 * nearest one.
 */
function assertUseful(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  const { type, name, left, right, value } = {
    type: '',
    name: '',
    left: null,
    right: null,
    value: null,
    ...part,
  }
  if (type === 'Function' && !isRegistered(String(name))) throw new Error(`there is no function ${name}()`)
  if (type === 'Literal' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new Error('it cannot compare a number of so many digits, but --where can')
  const isText = (side: object | null) => side !== null && 'value' in side && typeof side.value === 'string'
  if (type === 'Comparator' && /^[GL]TE?$/.test(String(name)) && [left, right].some(isText))
    throw new Error(
      'it compares a text with < or >, which JMESPath does with numbers only; --where compares days and texts, as in --where "endDate>=2026-11-16"',
    )
  for (const each of Object.values(part)) assertUseful(each)
}
