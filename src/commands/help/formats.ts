import type { Content } from './layout.ts'

/** `help formats`. */
export const formats: Content = () => [
  'Results go to standard output: a table on a terminal, JSON in a pipe or a file. Messages go to standard error. To choose: -o <format>, or PAYROLL_OUTPUT.',
  [
    ['table', 'columns, or a card for each record where they do not fit'],
    ['json', 'every field as the service sent it; a list is one array. --json is the same'],
    ['ndjson', 'one JSON object on each line, written as it arrives'],
    ['csv', 'a header and a row for each record; --excel adds what Excel expects'],
    ['yaml', 'the same content as json'],
    ['xlsx', 'a workbook, with --out'],
  ],
  'A part of the result: --columns in every format; --query selects with JMESPath, and -r (--raw) prints the strings that it selects without quotes, one to a line.',
  'Files:',
  [
    ['--out <file>', 'writes the result to a file: all of it or nothing, readable only by you'],
    ['--out people.xlsx', 'the ending chooses the format: .xlsx, .csv, .ndjson, .json, .yaml or .yml'],
    ['import <file>', 'reads CSV, an Excel workbook, NDJSON or JSON'],
  ],
]
