import type { Content } from './content.ts'

/** `help fields`. */
export const fields: Content = () => [
  'A field has a path: the names that lead to it, with dots between, such as generalSetting.surname. What is sent and what the service returns can differ: bankSetting.sortCode is sent, and returned as bank.sortCode.',
  [
    ['payroll explain', 'the kinds of record'],
    ['payroll explain candidates.uk', 'the fields of one kind, with both paths'],
    ['payroll explain ppsNumber', 'one field: its meaning, its type, example values'],
    ['payroll template candidates.uk', 'a file with every field to fill in'],
  ],
  'Where a field is named:',
  [
    ['--set generalSetting.city=Leeds', 'one field of create or update, with the path that is sent'],
    ['--columns id,surname', 'the columns of a table or of CSV, with the paths that are returned'],
    ['--query "[].surname"', 'a JMESPath expression over what is returned'],
    ['the header of an import', 'the path that is sent, or the label that explain shows'],
  ],
  'Account numbers, dates of birth and the like are masked on a terminal; --reveal shows them. JSON and CSV contain the real values.',
]
