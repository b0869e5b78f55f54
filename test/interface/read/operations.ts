import { type Part, section, sentence, split, table } from './parse.ts'

/** An operation as interface.md shows it: what is not shown is absent. */
export interface ShownOperation {
  readonly group: string
  readonly name: string
  readonly known: 'documented' | 'method' | 'name'
  readonly method?: string
  readonly path?: string
  readonly status?: number
  /** Whether the endpoint answers "no body" or "JSON: …". */
  readonly answers?: 'nothing' | 'json'
}

/** The operations of the groups table, with what the Endpoints section adds to them. */
export function readOperations(document: string): ShownOperation[] {
  const part = section(document, 'Endpoints')
  const groups = table(section(document, 'What the service does'), 'Group', 'Operations named')
  const named = groups.flatMap(([group = '', cell = '']) =>
    operationNames(cell).map((name) => ({ group, name })),
  )
  const shown = new Map<{ group: string; name: string }, Partial<ShownOperation>>()

  for (const [method = '', path = '', request = '', success = ''] of table(
    part,
    'Method',
    'Path',
    'Request',
    'Success response',
  )) {
    const operation = find(named, whoSends(document, request), '')
    shown.set(operation, { known: 'documented', method, path, ...successOf(part, operation.name, success) })
  }
  for (const [cell = '', method = ''] of table(part, 'Operation', 'Method')) {
    const [, name = '', country = ''] = /^(.+?)(?: \((\w+)\))?$/.exec(cell) ?? []
    shown.set(find(named, name, country), { known: 'method', method })
  }
  return named.map((operation) => ({ known: 'name', ...operation, ...shown.get(operation) }))
}

/** "Create timesheets; list all timesheets", or one sentence: "Create, list, … and delete a document on …". */
function operationNames(cell: string): string[] {
  const [, verbs, object] = /^([^;]+?, [^;]+?) (an? [^;]+)$/.exec(cell) ?? []
  if (verbs === undefined) return split(cell, ';')
  return verbs.split(/, | and /).map((verb) => `${verb} ${object}`)
}

/** "JSON body: UK candidate (…)" leads to the heading "UK candidate (request body of Create Candidate)". */
function whoSends(document: string, request: string): string {
  const [, subject = ''] = /^JSON body: ([^(]+?)(?: \(.+\))?$/.exec(request) ?? []
  const everything = section(document, 'Resources and their fields')
  const heading = everything.lines.find((line) =>
    line.toLowerCase().startsWith(`### ${subject.toLowerCase()}`),
  )
  if (subject === '' || heading === undefined) throw new Error(`the request "${request}" leads to no heading`)
  const [, inHeading] = /\(request body of (.+)\)$/.exec(heading) ?? []
  if (inHeading !== undefined) return inHeading
  return sentence(section(document, heading.replace(/^#+ /, '')), /^Request body of (.+):$/)[0] ?? ''
}

/** "201, no body" or "JSON: payment rate envelope", whose status is said to be "not shown". */
function successOf(part: Part, name: string, success: string): Partial<ShownOperation> {
  const [, status, answer = ''] = /^(?:(\d{3}), )?(no body|JSON: .+ envelope)$/.exec(success) ?? []
  if (answer === '') throw new Error(`${part.name}: "${success}" is not a success response`)
  if (status === undefined)
    sentence(part, new RegExp(`The status code of a successful ${name}: not shown\\.`))
  return {
    answers: answer === 'no body' ? 'nothing' : 'json',
    ...(status !== undefined && { status: Number(status) }),
  }
}

/** The operation of that name; the same name occurs in two groups, and a country says which: "(Ireland)". */
function find<T extends { group: string; name: string }>(
  named: readonly T[],
  name: string,
  country: string,
): T {
  const found = named.find((each) => each.name === name && each.group.endsWith(country))
  if (!found) throw new Error(`no group names the operation "${name}" ${country}`)
  return found
}
