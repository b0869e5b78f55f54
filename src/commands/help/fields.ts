import { dateExamples } from '../../values/date-formats.ts'
import type { Content } from './layout.ts'

/** `help fields`. */
export const fields: Content = () => [
  'A field has a path: the names that lead to it, with dots between, such as generalSetting.surname. What is sent and what the service returns can differ: bankSetting.sortCode is sent, and returned as bank.sortCode.',
  [
    ['payroll explain', 'the kinds of record'],
    ['payroll explain candidates.uk', 'the fields of one kind, with both paths'],
    ['payroll explain ppsNumber', 'one field: its meaning, its type, example values'],
    ['payroll template candidates.uk', 'a record to fill in; with --out starters.xlsx, a workbook'],
  ],
  'Where a field is named:',
  [
    [
      '--set city=Leeds',
      'one field of create or update, read as the form reads it: weekly, 14/02/1980, £17.30',
    ],
    ['--set-raw payFrequency=X1', 'the same, and the text is sent as it stands'],
    ['--unset mobile', 'clear one field of update'],
    [
      '--where "startDate>=2026-04-20"',
      'the items of a list for which this holds: = != < <= > >= ~ (contains)',
    ],
    ['--sort surname', 'the order of a list; -surname for the reverse order'],
    ['--columns id,surname', 'the columns, or the fields of JSON'],
    ['--query "[].surname"', 'a JMESPath expression over what is returned; it orders numbers only'],
    [
      'the header of an import',
      'a path, the label that explain shows, or a usual heading: First name, NI number, Account no',
    ],
    ['--map columns.json', 'what other headings mean, as docs/import.md shows'],
  ],
  `A date is written ${dateExamples}; --date-format says what comes first in the dates of a file.`,
  'All but --query take either path, the last part of one if no other field has it, or the label.',
  'Account numbers, dates of birth and the like are masked on a terminal; --reveal shows them. JSON and CSV contain the real values.',
]
