import { type Json, parsePath, valueAt } from '../../../json/path.ts'
import type { RecordType } from '../records/record-type.ts'
import { rules } from '../standards/rules.ts'
import type { Leaf } from './field-tree.ts'
import { sample } from './sample.ts'
import { sections } from './sections.ts'

/** Everything we know about a field, with a clearly made-up example. */
export interface Explanation {
  readonly label: string
  readonly section: string | null
  readonly type: string
  readonly nullable: boolean
  readonly sensitive: boolean
  /** "Values that appear": suggestions. */
  readonly seen: readonly string[]
  /** The values of the public standard. */
  readonly official: readonly string[]
  readonly standard: string | null
  /** The standard's rule in one sentence, with its source. */
  readonly rule: string | null
  readonly help: string | null
  readonly example: Json
  readonly notShown: string
}

export function explanationOf(type: RecordType, { path, field }: Leaf): Explanation {
  return {
    label: field.label,
    section: field.section ? sections[field.section] : null,
    type: field.assumed ? `${field.type} (assumed)` : field.type,
    nullable: field.nullable ?? false,
    sensitive: field.sensitive ?? false,
    seen: field.exampleValues ?? [],
    official: field.standardValues ?? [],
    standard: field.standard ?? null,
    rule: field.standard ? rules[field.standard] : null,
    help: [field.help, field.note].filter(Boolean).join(' ') || null,
    example: valueAt(sample(type), parsePath(path) ?? []) ?? null,
    notShown: 'whether it is required, its length, and the full set of its values',
  }
}
