import type { Content } from './content.ts'

/** `help formats`. */
export const formats: Content = () => [
  'Results go to standard output: a table on a terminal, JSON in a pipe or a file. Messages go to standard error. To choose: -o <format>, or PAYROLL_OUTPUT.',
  [
    ['table', 'columns, or a card for each record where they do not fit'],
    ['json', 'every field as the service sent it; a list is one array. --json is the same'],
    ['ndjson', 'one JSON object on each line, written as it arrives'],
    ['csv', 'a header and a row for each record; --excel adds what Excel expects'],
    ['yaml', 'the same content as json'],
  ],
  'Files:',
  [
    ['--out <file>', 'writes the result to a file: all of it or nothing, readable only by you'],
    ['export --out a.xlsx', 'a workbook; .csv, .ndjson and .json choose their format too'],
    ['import <file>', 'reads CSV, an Excel workbook, NDJSON or JSON'],
  ],
]
