import { compile, registerFunction, TreeInterpreter } from '@jmespath-community/jmespath'
import { usage } from '../../errors.ts'
import type { Json } from '../../json/path.ts'
import { markLiterals, nearest, nearestTo, prepared } from './query-numbers.ts'

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
