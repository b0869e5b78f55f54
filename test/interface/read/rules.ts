import { names, section, sentence, table } from './parse.ts'
import { braces, type Shapes } from './shape.ts'

/** A value that appears for a field: of which resource, and in which direction, where that is said. */
export interface SeenValue {
  readonly of?: 'candidate' | 'payment rate'
  readonly direction?: 'request' | 'response'
  readonly field: string
  readonly value: string
}

/** "Values that appear for enumerated fields: …" and the table of states. */
export function readValues(document: string): SeenValue[] {
  const [list = ''] = sentence(
    section(document, 'Other resources'),
    /^Values that appear for enumerated fields: (.+)\.$/,
  )
  const listed = list.split('; ').flatMap((piece) => {
    const [, of, fields = '', values = ''] = /^(?:(candidate|payment rate) )?([^`]+) (`.+)$/.exec(piece) ?? []
    const each = values
      .split(' and ')
      .map((value) => /^`(\w+)`(?: \((request|response)\))?$/.exec(value) ?? [])
    return names(fields).flatMap((field) =>
      each.map(([, value, direction]) => seen({ of, direction, field, value })),
    )
  })
  const states = table(
    section(document, 'States and transitions'),
    'Resource',
    'Field',
    'States named',
  ).flatMap(([resource = '', field = '', cell = '']) => {
    const of = resource === 'Pension enrolment' ? 'candidate' : resource.toLowerCase()
    return names(cell).map((value) => seen({ of, direction: undefined, field, value }))
  })
  return [...listed, ...states]
}

/** The numbers of the Limits table. */
export function readLimits(document: string): Record<'defaultPage' | 'defaultSize' | 'maximumSize', number> {
  const rules = Object.fromEntries(table(section(document, 'Limits'), 'Item', 'Rule'))
  const number = (item: string, pattern: RegExp) => {
    const found = pattern.exec(rules[item] ?? '')?.[1]
    if (found === undefined) throw new Error(`Limits: ${item} does not say ${pattern}`)
    return Number(found)
  }
  if (!rules['`totalDocs`']) throw new Error('Limits: no totalDocs')
  return {
    defaultPage: number('`page` query parameter', /\bdefault (\d+)/),
    defaultSize: number('`size` query parameter', /\bdefault (\d+)/),
    maximumSize: number('`size` query parameter', /\bmaximum (\d+)/),
  }
}

/** The envelope of "Paginated list operations". */
export function readPage(document: string): Shapes {
  const [envelope = ''] = sentence(
    section(document, 'Endpoints'),
    /^Paginated list operations accept query parameters `page` and `size` \(see Limits\) and return `(.+?)`\./,
  )
  return braces(envelope).fields ?? {}
}

/** The statuses of the Errors table, and the operation each is documented for. */
export function readErrors(document: string): { status: number; name: string; operation: string }[] {
  return table(section(document, 'Errors'), 'Status', 'Name', 'Documented for').map(
    ([status = '', name = '', operation = '']) => ({ status: Number(status), name, operation }),
  )
}

/** "loginId carries an e-mail address form": the fields of which this is said. */
export function readEmailFields(document: string): string[] {
  return sentence(section(document, 'Resources and their fields'), /^(\w+) carries an e-mail address form/)
}

function seen(found: {
  of: string | undefined
  direction: string | undefined
  field: string | undefined
  value: string | undefined
}): SeenValue {
  const { of, direction, field, value } = found
  if (!field || !value) throw new Error(`no field or value in ${JSON.stringify(found)}`)
  if (of !== undefined && of !== 'candidate' && of !== 'payment rate') throw new Error(`what is a ${of}?`)
  return {
    field,
    value,
    ...(of !== undefined && { of }),
    ...((direction === 'request' || direction === 'response') && { direction }),
  }
}
