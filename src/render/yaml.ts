import { Document, visit } from 'yaml'
import type { Json } from '../api/contract/path.ts'
import { safeJson } from './safe-text.ts'

/** YAML. Text with characters that a terminal would act on is quoted, and they are escapes in it. */
export function yaml(value: Json): string {
  const document = new Document(value)
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && safeJson(scalar.value) !== scalar.value)
        scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return safeJson(document.toString({ lineWidth: 0 }))
}
