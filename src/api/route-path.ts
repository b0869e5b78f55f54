import { invalidInput } from '../errors.ts'
import type { Operation } from '../model/records/operation.ts'
import { allOperations } from '../model/resources/operations.ts'

/** The values for the braces of a path: `{ id: '42' }`. */
export type Parameters = Readonly<Record<string, string>>

/** An identifier, "string", must not leave its path segment: no slash, no percent sign, no leading dot. */
const identifier = /^[A-Za-z0-9_-][A-Za-z0-9._~-]{0,127}$/

/** Whether a text can stand in a path as an identifier. */
export const isIdentifier = (text: string): boolean => identifier.test(text)

/** The path of an operation with its identifiers. Throws exit 3 for one that could reach another path. */
export function routePath(operation: Operation, parameters: Parameters, prefix: string): string {
  const path: string = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name] ?? ''
    if (!identifier.test(value)) {
      const message =
        value === '' ? 'it is empty' : 'expected letters, digits, - and _, and after the first also . and ~'
      throw invalidInput(`Not a valid ${name}.`, [{ path: name, message }])
    }
    return value
  })
  // `candidates get ireland` would ask for the list of /svc/candidates/ireland and show it as a person.
  if (path !== operation.path && allOperations.some((other) => other.path === path)) {
    throw invalidInput(`${path} is the path of a list, not of one record.`, [])
  }
  return path.replace(/^\/svc\//, `/${prefix}/`)
}
