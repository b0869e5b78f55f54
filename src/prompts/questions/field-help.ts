import { explanationOf } from '../../api/contract/fields/explanation.ts'
import type { Field } from '../../api/contract/fields/field.ts'
import type { Leaf } from '../../api/contract/fields/field-tree.ts'
import { valueName } from '../../api/contract/values/value-name.ts'
import type { FormContext } from '../form/form-context.ts'
import { formatValue, type Shown } from './format-value.ts'

/** Explains a field to a person who typed `?`, in payroll words: what it is, the rule of its standard, an example. */
export function showFieldHelp({ say, style, type, shown }: FormContext, leaf: Leaf): void {
  const { field } = leaf
  const { label, rule, seen, official, example } = explanationOf(type, leaf)
  const answers = [...seen, ...official].map((value) => valueName(field, value) ?? value)
  const shownExample = exampleOf(field, example, { ...shown(), masked: false })
  const lines = [
    `${style.bold(label)}: ${kinds[field.type]}.`,
    field.help,
    rule && `${rule} You may keep another answer.`,
    answers.length > 0 && `Usual answers: ${answers.join(', ')}. Another may be typed.`,
    answers.length === 0 && shownExample && `For example: ${shownExample}`,
  ]
  for (const line of lines) if (line) say(line, '  ')
}

/** None of a field whose answers are listed, nor of one whose example is only its name again. */
function exampleOf(field: Field, example: unknown, shown: Shown): string {
  if (example === null || typeof example === 'object' || /^Example /.test(String(example))) return ''
  return formatValue(field, example, shown)
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
  lines: 'text, a line for each',
  array: 'a list',
  object: 'several fields',
  unknown: 'text or a number',
}
