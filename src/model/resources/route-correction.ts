import { type Issue, usage } from '../../errors.ts'
import { isObject, type Json, type JsonObject } from '../../files/json/path.ts'
import { isWrite, type Method, type Operation } from '../records/operation.ts'
import { operationById } from './operations.ts'

/** The route of one operation as the user corrected it: `GET /svc/payslips`, or all that is said of it. */
export type Correction =
  | string
  | {
      readonly method: Method
      readonly path: string
      /** Parameters and parts of an answer that have other names: `{ code: 'authCode' }`. */
      readonly names?: Readonly<Record<string, string>> | undefined
      readonly encoding?: 'form' | 'json' | undefined
    }

/** The stored corrections, by operation. The file may have been edited by hand. */
export type Corrections = Readonly<Record<string, unknown>>

type CorrectableRoute = Pick<Operation, 'method' | 'path' | 'names' | 'encoding'>

/** The methods that a corrected route may have. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly Method[]

/** Whether a word is one of them, in capitals. */
export const isMethod = (word: string): word is Method => methods.some((method) => method === word)

/** Plain segments and identifiers in braces; nothing that a decoder could turn into another path. */
const pathPattern = /^(\/([A-Za-z0-9_~-][A-Za-z0-9._~-]*|\{\w+\}))+$/

/** The methods that keep an operation's nature: a read stays a read, a write stays a write. */
const methodsFor = { GET: ['GET'], POST: ['POST', 'PUT', 'PATCH'], DELETE: ['DELETE', 'POST'] } as const

/** A stored correction as a route, or a sentence that says what is wrong with it. */
export function readCorrection(operation: Operation, correction: unknown): CorrectableRoute | string {
  if (typeof correction === 'string') return readRoute(operation, correction)
  if (!isObject(correction)) return 'expected a method and a path in quotes'
  const { method, path: where, names = {}, encoding } = correction
  const route = readRoute(operation, `${method} ${where}`)
  if (typeof route === 'string') return route
  if (encoding !== undefined && encoding !== 'form' && encoding !== 'json')
    return 'the encoding must be form or json'
  if (encoding !== undefined && !operation.bodyMembers) return `${operation.id} has no body to encode`
  if (!isObject(names)) return 'expected names, as {"code":"authCode"}'
  return (
    flawOfNames(operation, names) ?? {
      ...route,
      names: names as Record<string, string>,
      ...(encoding && { encoding }),
    }
  )
}

/** What is wrong with the other names of parameters and parts of an answer. */
function flawOfNames(operation: Operation, names: JsonObject): string | undefined {
  const { id, query = [], bodyMembers = [], response } = operation
  const isList = response.kind === 'page'
  const hasRecord = 'type' in response || 'requestRecord' in operation
  const requestNames = [...query, ...bodyMembers, ...(isList ? ['page', 'size'] : [])]
  const answerNames = [...(isList ? ['items', 'totalDocs'] : []), ...(hasRecord ? ['id'] : [])]
  const known = [...requestNames, ...answerNames]
  const strange = Object.keys(names).find((name) => !known.includes(name))
  if (strange !== undefined)
    return known.length === 0
      ? `the parameters of ${id} have no other names`
      : `${id} has no such parameter; there are: ${known.join(', ')}`
  const named = (some: readonly string[]) =>
    some.map((name) => (Object.hasOwn(names, name) ? names[name] : name))
  const isName = (name: unknown) => typeof name === 'string' && /^_?[A-Za-z][\w.-]{0,63}$/.test(name)
  if (!named(known).every(isName)) return 'a name must have letters, digits, - _ and . only'
  // What is asked and what is answered may share a name: ?items=20 of {"items": […]}.
  const isTwice = [requestNames, answerNames].some((some) => new Set(named(some)).size < some.length)
  return isTwice ? 'two parameters would have the same name' : undefined
}

/** A correction as a person reads it. */
export function correctionText({ method, path, names = {}, encoding }: CorrectableRoute): string {
  const renamed = Object.entries(names).map(([name, other]) => `${name} as ${other}`)
  const also = [...renamed, ...(encoding === undefined ? [] : [`the body as ${encoding}`])]
  return `${method} ${path}${also.length > 0 ? ` (${also.join(', ')})` : ''}`
}

/** The operation with the user's route. Throws a usage failure for a correction that cannot be used. */
export function applyCorrection(operation: Operation, corrections: Corrections): Operation {
  if (!Object.hasOwn(corrections, operation.id)) return operation
  const route = readCorrection(operation, corrections[operation.id])
  if (typeof route === 'string')
    throw unusableCorrection(`${operation.id}: ${route}`, `routes reset ${operation.id}`)
  return { ...operation, ...route }
}

/** The operations whose corrections cannot be used, each with the reason. */
function unusableCorrections(corrections: Corrections): readonly (readonly [id: string, why: string])[] {
  return Object.entries(corrections).flatMap(([id, correction]) => {
    const operation = operationById(id)
    const reading = operation ? readCorrection(operation, correction) : 'there is no such operation'
    return typeof reading === 'string' ? [[id, reading] as const] : []
  })
}

/** Returns the corrections as they are, if all can be used. Throws a usage failure that names the others. */
export function requireUsable(corrections: Corrections): Corrections {
  const unusable = unusableCorrections(corrections)
  const [[first] = []] = unusable
  if (first === undefined) return corrections
  const reasons = unusable.map(([id, why]) => `${id}: ${why}`).join('; ')
  throw unusableCorrection(reasons, unusable.length === 1 ? `routes reset ${first}` : 'routes reset')
}

/** The names in braces of a path. */
export function identifiers(route: string): string[] {
  return [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

function unusableCorrection(what: string, command: string) {
  return usage(`A corrected route cannot be used (${what}).`, `payroll ${command}`)
}

function readRoute(operation: Operation, text: string): CorrectableRoute | string {
  const route = parseRoute(operation, text)
  if (typeof route === 'string') return route
  const { method } = operation
  const methods: readonly Method[] = methodsFor[method === 'PUT' || method === 'PATCH' ? 'POST' : method]
  if (methods.includes(route.method)) return route
  if (!isWrite(operation)) return `${operation.id} reads, so its method stays GET`
  return `${operation.id} cannot be ${route.method}, only ${methods.join(' or ')}`
}

/** Splits a route into method and path; a sentence instead, if it does not suit the operation. */
function parseRoute(operation: Operation, text: string): CorrectableRoute | string {
  const [method = '', where = '', ...rest] = text.trim().split(/\s+/)
  if (rest.length > 0 || !isMethod(method))
    return `expected a method and a path, as ${operation.method} ${operation.path}`
  if (!pathPattern.test(where)) return 'expected a path of plain segments, as /svc/payslips/{id}'
  const [ownNames, newNames] = [identifiers(operation.path), identifiers(where)]
  const strange = newNames.find((name) => !ownNames.includes(name))
  if (strange)
    return `${operation.id} has no {${strange}}${ownNames.length > 0 ? `, only {${ownNames.join('} {')}}` : ''}`
  const wrong = ownNames.find((name) => newNames.filter((each) => each === name).length !== 1)
  if (wrong) return `{${wrong}} must appear once in the path, as in ${operation.path}`
  return { method, path: where as Operation['path'] }
}

/** The corrections in a parsed file, as `routes export` prints them; else what is wrong with it, an issue for each entry. */
export function readExportedRoutes(
  content: Json,
): { readonly prefix?: string; readonly routes: Corrections } | readonly Issue[] {
  if (!isObject(content) || !isObject(content.routes))
    return [{ path: '', message: 'it is not what routes export prints' }]
  const { prefix, routes } = content
  const issues: Issue[] = unusableCorrections(routes).map(([id, message]) => ({
    path: `routes.${id}`,
    message,
  }))
  const isPrefix = prefix === undefined || (typeof prefix === 'string' && /^[A-Za-z0-9_-]+$/.test(prefix))
  if (!isPrefix) issues.push({ path: 'prefix', message: 'expected one path segment, such as svc' })
  return issues.length > 0 ? issues : { ...(typeof prefix === 'string' && { prefix }), routes }
}
