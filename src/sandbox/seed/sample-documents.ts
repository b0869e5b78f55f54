import type { JsonObject } from '../http/json.ts'
import { agencyRefOf } from './starters.ts'

/** Bodies to create documents with, each with the agencyRef of its person. */
export const sampleDocuments: readonly { readonly agencyRef: string; readonly body: JsonObject }[] = [
  document(agencyRefOf('UK', 1), 'right-to-work.txt', 'Right to work check'),
  document(agencyRefOf('UK', 1), 'p45.txt', 'P45 of the last employment'),
  document(agencyRefOf('UK', 2), 'contract.txt', 'Signed contract'),
  document(agencyRefOf('IE', 1), 'contract.txt', 'Signed contract'),
  document(agencyRefOf('IE', 2), 'tax-credit-certificate.txt', 'Tax credit certificate'),
]

function document(agencyRef: string, name: string, description: string) {
  const text = `${description}: a sample of the sandbox, about no real person.\n`
  const content = Buffer.from(text).toString('base64')
  return { agencyRef, body: { name, contentType: 'text/plain', description, content } }
}
