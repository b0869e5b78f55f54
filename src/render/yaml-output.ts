import { Document, type ScalarTag, visit } from 'yaml'
import { ExactNumber } from '../files/json/numbers.ts'
import type { Json } from '../files/json/path.ts'
import { treeRenderer } from './json-output.ts'
import type { Renderers } from './renderer.ts'
import { safeJson } from './text/safe-text.ts'

/** Values as YAML, unmasked. */
export const renderers: Renderers = { result: (writing) => treeRenderer(writing, yaml) }

/** Whether a number has a power but no point: YAML 1.1 needs the point, and the sign of the power, 1.0e+21 for 1e21. */
const isPower = (text: string) => /^-?\d+e/i.test(text)

/** The digits of an ExactNumber, and numbers with a power, as every version of YAML reads a number. */
const number: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  // Nothing is read by it; the package prefers a tag that has a test.
  test: /(?!)/,
  identify: (value) => value instanceof ExactNumber || (typeof value === 'number' && isPower(String(value))),
  resolve: (text) => text,
  stringify({ value }) {
    const text = String(value)
    return isPower(text) ? text.replace(/e\+?(?=[\d-])/i, '.0e+').replace('+-', '-') : text
  },
}

/**
 * YAML that reads the same by the rules of 1.1, as PyYAML, Ruby and Ansible have them, and of 1.2: NO is text, and so
 * are 190:20:30 and a date. Text with characters that a terminal would act on is quoted, and they are escapes in it.
 */
export function yaml(value: Json): string {
  const document = new Document(value, { compat: 'yaml-1.1', customTags: (tags) => [number, ...tags] })
  visit(document, {
    Scalar(_, scalar) {
      const { value: text } = scalar
      // A lone = is a value of its own kind in YAML 1.1.
      if (typeof text === 'string' && (text === '=' || safeJson(text) !== text)) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return safeJson(document.toString({ lineWidth: 0 }))
}
