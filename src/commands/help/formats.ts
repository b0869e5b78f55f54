import { wordList } from '../../formats/words.ts'
import { endingsOf, formats as outputs } from '../../render/formats.ts'
import { readTitles } from '../../table/read-formats.ts'
import type { Content } from './layout.ts'

/** `help formats`. */
export const formats: Content = () => [
  'Results go to standard output: a table on a terminal, JSON in a pipe or a file. Messages go to standard error. To choose: -o <format>, or PAYROLL_OUTPUT.',
  Object.entries(outputs).map(([name, { summary }]) => [name, summary] as const),
  'A part of the result: --columns in every format; --query selects with JMESPath, and -r (--raw) prints the strings that it selects without quotes, one to a line.',
  'Files:',
  [
    ['--out <file>', 'writes the result to a file: all of it or nothing, readable only by you'],
    ['--out people.xlsx', `the ending chooses the format: ${wordList(endingsOf(), 'or')}`],
    ['import <file>', `reads ${readTitles}`],
  ],
]
