import { compile, TreeInterpreter } from '@jmespath-community/jmespath'
import type { Json } from '../api/contract/path.ts'
import { usage } from '../errors.ts'

/** A JMESPath expression as a function of the whole answer. Throws a usage failure for one that cannot be read. */
export function query(expression: string): (value: Json) => Json {
  try {
    const compiled = compile(expression)
    return (value) => TreeInterpreter.search(compiled, value as never)
  } catch {
    throw usage('The expression of --query is not JMESPath.', "For example: --query '[].email'")
  }
}
