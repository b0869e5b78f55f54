import { parse } from 'yaml'
import type { Json } from '../json/path.ts'

/** Parses YAML with plain types only; undefined if it is not YAML. */
export function readYaml(text: string): Json | undefined {
  try {
    return parse(text, { maxAliasCount: 0, schema: 'core' })
  } catch {
    return undefined
  }
}
