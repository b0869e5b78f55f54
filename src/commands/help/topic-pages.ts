import { variablesByGroup } from '../../environment.ts'
import { readTitles } from '../../files/table/read-formats.ts'
import { dateExamples } from '../../model/values/date-formats.ts'
import { errorFields } from '../../render/error-fields.ts'
import { endingsOf, formats } from '../../render/formats.ts'
import { wordList } from '../../text/words.ts'
import { exitCodeRows } from '../cli/exit-codes.ts'
import { globalOptions, outOption } from '../cli/options.ts'
import type { Item } from './layout.ts'
import type { TopicName } from './topics.ts'

/** The members of the error object, and what they mean. */
export const errorRows: readonly (readonly [name: string, meaning: string])[] = Object.entries(
  errorFields,
).map(([name, { help = '' }]) => [name, help])

/** The page of each topic, as paragraphs and lists. */
export const topicPages: Readonly<Record<TopicName, readonly (string | readonly Item[])[]>> = {
  options: [
    'Options of every command. They can stand before the command or after it.',
    [
      ...globalOptions.map(
        ({ flags, summary, choices }): Item => [
          flags,
          choices ? `${summary}: ${choices.join(', ')}` : summary,
        ],
      ),
      [outOption.flags, `${outOption.summary}; some commands have an --out of their own`],
      ['-h, --help', 'what a command does, and how it is typed'],
    ],
  ],
  environment: [
    'Environment variables. An option wins over a variable; an empty variable counts as unset, but PAYROLL_PROFILE, PAYROLL_BASE_URL and PAYROLL_API_KEY are exit 2 then: a script has lost their value. What can be on or off is off with 0, no, false and off, and on with anything else.',
    ...variablesByGroup().flatMap(({ title, rows }) => [title, rows]),
    'A profile is chosen in this order: --profile, PAYROLL_PROFILE, PAYROLL_BASE_URL, the default profile. To see which one is in use, and where each value comes from: payroll doctor',
  ],
  'exit-codes': [
    'Exit codes, and what to do:',
    exitCodeRows.map(([code, meaning, next]): Item => [code, next ? `${meaning} → ${next}` : meaning]),
    'With --errors json, or --json, an error is one JSON object on the last line of standard error: payroll help errors.',
  ],
  errors: [
    'An error is two to four lines on standard error; or one JSON object on its last line, {"error": {…}}, with --errors json or PAYROLL_ERRORS=json, whatever the output is. It is JSON too where -o, --json or PAYROLL_OUTPUT asks for json or ndjson; --errors text turns that off. Of .error:',
    errorRows,
    'A script reads .error.outcome before it sends anything again: unknown means that the write may have been applied.',
  ],
  fields: [
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
  ],
  formats: [
    'Results go to standard output: a table on a terminal, JSON in a pipe or a file. Messages go to standard error. To choose: -o <format>, or PAYROLL_OUTPUT.',
    Object.entries(formats).map(([name, { summary }]) => [name, summary] as const),
    'A part of the result: --columns in every format; --query selects with JMESPath, and -r (--raw) prints the strings that it selects without quotes, one to a line.',
    'Files:',
    [
      ['--out <file>', 'writes the result to a file: all of it or nothing, readable only by you'],
      ['--out people.xlsx', `the ending chooses the format: ${wordList(endingsOf(), 'or')}`],
      ['import <file>', `reads ${readTitles}`],
    ],
  ],
  excel: [
    'A workbook (.xlsx) is read and written as it is, and so is CSV; neither needs Excel.',
    [
      ['payroll candidates list --out people.xlsx', 'a list as a workbook; the ending chooses the format'],
      [
        'payroll template candidates.uk --out starters.xlsx',
        'a workbook to fill in, with a list of answers where there is one',
      ],
      ['payroll candidates import starters.xlsx --dry-run', 'what would be created; without --dry-run it is'],
      ['payroll candidates import staff.xlsx --update --dry-run', 'what would change, old and new'],
      ['payroll timesheets import hours.xlsx', 'the hours of a week'],
      [
        'payroll candidates export --excel --out starters.csv',
        'CSV whose accents Excel reads; opening it, Excel drops leading zeros, which a workbook keeps',
      ],
    ],
    'Headings may stand below a title, and be called as payroll software calls them. A column that is not known is asked about. What was not taken is in a file of rejects, to be corrected and imported again.',
  ],
  // assumed: what the service calls status, day and reason; no operation of it ends an employment.
  leavers: [
    'The service itself ends the work of somebody: status, date left and reason are shown, and no command can set them. Enter a leaver where the service is used by hand.',
    [
      ['payroll candidates get <person>', 'status, date left and reason'],
      [
        'payroll candidates list --where "dateLeft>=2026-11-01"',
        'who left since a day, where the service shows it',
      ],
      ['payroll changes', 'who is new, gone or changed since the last look'],
      ['payroll check', 'what is wrong before payday'],
    ],
    'A person cannot be deleted. Enter the last week of hours as any other timesheet.',
  ],
  cron: [
    'In cron or another script: no question is asked without a terminal, and --quiet leaves out all but the answer, warnings and errors.',
    [
      ['PAYROLL_BASE_URL=https://…', 'the address of the service, or --profile for a stored one'],
      [
        'PAYROLL_API_KEY=$(cat ~/.payroll-key)',
        'the key, where it is not stored: a script has no key store of a desktop',
      ],
      [
        '0 6 * * * payroll check --quiet --errors json >/dev/null',
        'silent when nothing is wrong, exit 9 when something is',
      ],
      [
        '0 2 * * * payroll --quiet payslips list --out ~/payslips.csv',
        'the file is written whole or left as it was',
      ],
    ],
    'Cron has a PATH of its own: command -v payroll shows the folder to name there. What cron mails is what the command prints. Exit codes: payroll help exit-codes.',
  ],
}
