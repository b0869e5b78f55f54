import { parse } from 'yaml'
import type { Json } from '../json/path.ts'

/** The value of a YAML text, of its plain types alone; undefined for what is no YAML. */
export function readYaml(text: string): Json | undefined {
  try {
    return parse(text, { maxAliasCount: 0, schema: 'core' })
  } catch {
    return undefined
  }
}
