import { explanationOf } from '../../api/contract/fields/explanation.ts'
import type { Field } from '../../api/contract/fields/field.ts'
import type { Leaf } from '../../api/contract/fields/field-tree.ts'
import { cell } from '../../render/text/format-cell.ts'
import type { FormContext } from '../form/form-context.ts'
import { spelledOut } from './parse-typed-date.ts'

/** Explains a field to a person who typed `?`: what it is, the rule of its standard, an example. */
export function showFieldHelp({ say, style, type }: FormContext, leaf: Leaf): void {
  const { label, help, rule, seen, official, example, sensitive } = explanationOf(type, leaf)
  const shownExample = example === null ? '' : exampleOf(leaf.field, example)
  const lines = [
    `${style.bold(label)}: ${kinds[leaf.field.type]}${sensitive ? ', masked on the screen' : ''}.`,
    help,
    rule && `${rule} This is only checked: you may keep another value.`,
    seen.length > 0 && `Values seen: ${seen.join(', ')}. Any other may be typed.`,
    official.length > 0 && `Values of the public standard: ${official.join(', ')}.`,
    shownExample && `For example: ${shownExample}`,
    style.dim(`Name in files and for --set: ${leaf.path}`),
  ]
  for (const line of lines) if (line) say(line, '  ')
}

function exampleOf({ type }: Field, example: unknown): string {
  if (type === 'date' || type === 'timestamp') return spelledOut(String(example).slice(0, 10))
  return cell(example)
}

const kinds: Readonly<Record<Field['type'], string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  date: 'a date, day before month',
  timestamp: 'a date, day before month',
  decimal: 'an amount',
  country: 'a country, by name or code',
  lines: 'line by line',
  array: 'a list',
  object: 'several fields',
  unknown: 'any JSON value',
}
