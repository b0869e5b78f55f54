import { variants } from '../../api/contract/variants.ts'
import type { Content } from './layout.ts'

/** `help environment`. */
export const environment: Content = () => [
  'Environment variables. An option wins over a variable; an empty variable counts as unset.',
  [
    ['PAYROLL_PROFILE', 'the profile to use, as --profile does'],
    [
      'PAYROLL_BASE_URL',
      'the address of the service; with PAYROLL_API_KEY it is all that is needed, without a stored profile',
    ],
    ['PAYROLL_API_KEY', 'the key of the service'],
    [
      'PAYROLL_CLIENT_ID, PAYROLL_CLIENT_SECRET',
      'the client application of auth login --browser, and its secret if it has one',
    ],
    ['BROWSER', 'the program that opens the consent page; none: only print its address'],
    [
      'PAYROLL_AUTHORIZATION',
      'how the key is presented: {token} (the default), Bearer {token}, X-Api-Key: {token}; a profile that is named and says so wins',
    ],
    ['PAYROLL_ROUTES', 'a file of corrected routes, as routes export writes it; needs no stored profile'],
    [
      'PAYROLL_COUNTRY',
      `${variants.map(({ id }) => id).join(' or ')}: the country of commands that name none; ${variants.map(({ flag }) => flag).join(' and ')} win, and so does a profile that is named`,
    ],
    [
      'PAYROLL_READ_ONLY',
      '1: refuse every write, whatever the profile says; 0 allows what the profile allows',
    ],
    [
      'PAYROLL_JOURNAL',
      'the database that several computers share, postgres://user@host/database, unless a named profile has one',
    ],
    [
      'PGPASSWORD, PGPASSFILE, PGSERVICEFILE',
      'where the password of that database is, as for psql; to store one: payroll journal login',
    ],
    ['PAYROLL_OUTPUT', 'the output format, as --output does: table, json, ndjson, csv or yaml'],
    ['PAYROLL_NO_INPUT', 'any value: never ask a question, as --no-input does'],
    ['PAYROLL_CONFIG_DIR', 'where profiles, keys, drafts and the sandbox are stored'],
    ['CI', 'any value: never ask a question'],
    ['NO_COLOR', 'any value: no colours, as --no-color does'],
    ['FORCE_COLOR', 'colours in a pipe too; 0: none'],
    ['ACCESSIBLE', 'any value but 0: plain questions, nothing is redrawn'],
    ['VISUAL, EDITOR', 'the editor of update --edit'],
    ['HTTPS_PROXY, HTTP_PROXY', 'the proxy to use for an https address, for an http address'],
    ['NO_PROXY', 'hosts that are reached without the proxy, with commas between'],
    ['NODE_EXTRA_CA_CERTS', 'a file with the certificates of your own authority (PEM)'],
  ],
  'A profile is chosen in this order: --profile, PAYROLL_PROFILE, PAYROLL_BASE_URL, the default profile. To see which one is in use, and where each value comes from: payroll doctor',
]
