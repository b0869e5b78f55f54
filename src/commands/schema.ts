import type { Context } from '../context/context.ts'
import { usage } from '../errors.ts'
import type { JsonObject } from '../files/json/path.ts'
import { flag, text, type ValuesOf } from '../model/fields/field.ts'
import { jsonSchema } from '../model/openapi/json-schema.ts'
import { json } from '../render/json-output.ts'
import { assertNamed, countryOptions, nameOfOneRecord, recordTypesByName } from './cli/record-types.ts'
import type { Verb } from './cli/verb.ts'

const schemaFields = {
  schema: text('What to type'),
  what: text('Kind of record'),
  sent: flag('Whether there is a schema of what is sent'),
  answered: flag('Whether there is one of what is answered: --answer'),
}

/** `schema [what]`: the JSON Schema of a record, or the OpenAPI document of the whole service. */
export const schema: Verb = {
  name: 'schema',
  isLocal: true,
  summary: 'Print the JSON Schema of a record, or the OpenAPI document of the whole service',
  arguments: [
    { name: 'what', summary: 'candidates.ireland (or candidates --ireland), or openapi', optional: true },
  ],
  namesCountry: true,
  options: [...countryOptions, 'answer'],
  notes: [
    'x-sensitive is what is masked on a terminal, x-section where the form asks for it, x-assumed what the interface does not show. A validator that refuses keywords of its own accord has to be told of them: ajv --strict=false.',
    'The schema of a record is that of what is sent. null in a template is "not given": create leaves it out, but where the field can be null.',
  ],
  answer: {
    prints: 'json',
    shapes: [
      { about: 'Without an argument.', list: true, fields: schemaFields },
      { about: 'A JSON Schema, or an OpenAPI document.', fields: {}, open: true },
    ],
  },
  examples: [
    'payroll schema',
    'payroll schema candidates --ireland > candidate.schema.json',
    'payroll schema payment-rates --answer',
    'payroll schema openapi > openapi.json',
  ],
  async run(context, { arguments: { what: record }, options }) {
    assertNamed(record, options)
    if (record === undefined) return listSchemas(context)
    const what = await nameOfOneRecord(context, record, options)
    const { answer = false } = options
    const value = what === 'openapi' ? await openApiDocument(answer) : schemaNamed(what, answer)
    // A schema has the names of sensitive fields and none of their values: a terminal shows it unmasked.
    return context.output.value(value, json(value))
  },
}

function listSchemas(context: Context): Promise<void> {
  const rows = Object.entries(recordTypesByName).map(
    ([name, { sent, answered }]): ValuesOf<typeof schemaFields> => ({
      schema: name,
      what: answered.displayName,
      sent: sent !== undefined,
      answered: true,
    }),
  )
  const whole = { schema: 'openapi', what: 'the whole service, in OpenAPI 3.1', sent: true, answered: true }
  return context.output.list([...rows, whole], { columns: ['schema', 'what', 'sent', 'answered'] })
}

async function openApiDocument(answer: boolean): Promise<JsonObject> {
  if (answer) throw usage('--answer does not work with openapi, which describes requests and responses.')
  const { openApi } = await import('../model/openapi/openapi.ts')
  return openApi()
}

function schemaNamed(what: string, answer: boolean): JsonObject {
  const record = Object.hasOwn(recordTypesByName, what) ? recordTypesByName[what] : undefined
  if (!record) throw usage(`There is no schema of ${what}.`, 'To list the schemas: payroll schema')
  if (answer) return jsonSchema(what, record.answered, 'answered')
  if (!record.sent)
    throw usage(
      `${what} can only be read, so there is no schema of what is sent.`,
      `For what is returned: payroll schema ${what} --answer`,
    )
  return jsonSchema(what, record.sent, 'sent')
}
