import { compile, registerFunction, TreeInterpreter } from '@jmespath-community/jmespath'
import { usage } from '../errors.ts'
import type { Json } from '../json/path.ts'
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
        'The --query expression does not fit this result.',
        'One of its functions or operators was given a value of the wrong type.',
      )
    }
  }
}

function read(expression: string) {
  try {
    return prepared(compile(markLiterals(expression)))
  } catch {
    throw usage('The --query expression is not valid JMESPath.', "For example: --query '[].email'")
  }
}
