import { countries } from '../countries/countries.ts'
import { agencyRefOf } from '../countries/starter-parts.ts'
import type { JsonObject } from '../http/json.ts'

/** Bodies to create documents with, each with the agencyRef of its person. */
export const sampleDocuments: readonly { readonly agencyRef: string; readonly body: JsonObject }[] =
  Object.values(countries).flatMap(({ code, documents }) =>
    documents.map(([person, name, description]) => document(agencyRefOf(code, person), name, description)),
  )

function document(agencyRef: string, name: string, description: string) {
  const text = `${description}: a sample of the sandbox, about no real person.\n`
  const content = Buffer.from(text).toString('base64')
  return { agencyRef, body: { name, contentType: 'text/plain', description, content } }
}
