import type { SecretVariable } from './secrets.ts'

/** Every environment variable that the tool reads: `payroll help environment` is made of this table. */

/** The headings of the page, in its order. */
const variableGroups = {
  service: 'The service, and who asks:',
  journal: 'The database of the shared journal:',
  screen: 'Output and questions:',
  programs: 'Programs that payroll starts:',
  network: 'The network:',
  system: 'Read as the system sets them:',
} as const

interface Variable {
  readonly group: keyof typeof variableGroups
  readonly summary: string
  /** The variable is a switch: it is only read as on or off. */
  readonly isFlag?: true
}

const variables = {
  PAYROLL_PROFILE: { group: 'service', summary: 'the profile to use, as --profile does' },
  PAYROLL_BASE_URL: {
    group: 'service',
    summary:
      'the address of the service; with PAYROLL_API_KEY it is all that is needed, without a stored profile',
  },
  PAYROLL_API_KEY: { group: 'service', summary: 'the key of the service' },
  PAYROLL_CLIENT_ID: { group: 'service', summary: 'the client application of auth login --browser' },
  PAYROLL_CLIENT_SECRET: {
    group: 'service',
    summary: 'the secret of that client application, if it has one',
  },
  PAYROLL_CLIENT_KEY_PASSPHRASE: {
    group: 'service',
    summary: 'the passphrase of an encrypted key of a client certificate',
  },
  PAYROLL_AUTHORIZATION: {
    group: 'service',
    summary:
      'how the key is presented: {token} (the default), Bearer {token}, X-Api-Key: {token}; a profile that is named and says so wins',
  },
  PAYROLL_ROUTES: {
    group: 'service',
    summary: 'a file of corrected routes, as routes export writes it; needs no stored profile',
  },
  PAYROLL_COUNTRY: {
    group: 'service',
    summary:
      'the country of commands that name none, as in `profiles set --country`; its option wins, and so does a profile that is named',
  },
  PAYROLL_EMPTY_FIELDS: {
    group: 'service',
    summary:
      'what it means where the service does not show a field: left-out (it is empty), hidden or ask (the default), as in `profiles set --empty-fields`; a profile that is named and says so wins',
  },
  PAYROLL_READ_ONLY: {
    group: 'service',
    isFlag: true,
    summary: '1: refuse every write, whatever the profile says; 0: allow what the profile allows',
  },
  PAYROLL_CONFIG_DIR: {
    group: 'service',
    summary: 'where profiles, keys, drafts and the sandbox are stored: an absolute path',
  },
  XDG_CONFIG_HOME: {
    group: 'service',
    summary: 'the folder that has the folder payroll in it, on Linux (default: ~/.config)',
  },
  PAYROLL_JOURNAL: {
    group: 'journal',
    summary:
      'the shared journal, as postgres://user@host/database; that of a profile that you name comes first',
  },
  PGPASSWORD: {
    group: 'journal',
    summary: 'its password, as for psql; to store one: payroll journal login',
  },
  PGPASSFILE: { group: 'journal', summary: 'the file with passwords, as for psql (default: ~/.pgpass)' },
  PGUSER: { group: 'journal', summary: 'the user, where the address names none' },
  PAYROLL_OUTPUT: { group: 'screen', summary: 'the output format, as --output does' },
  PAYROLL_ERRORS: { group: 'screen', summary: 'how an error is printed, as --errors does: text or json' },
  PAYROLL_NO_INPUT: {
    group: 'screen',
    isFlag: true,
    summary: '1: never ask a question, as --no-input does',
  },
  CI: { group: 'screen', isFlag: true, summary: '1 or true: never ask a question' },
  PAYROLL_DEBUG: {
    group: 'screen',
    isFlag: true,
    summary: '1: print each request, as --debug does',
  },
  NO_COLOR: { group: 'screen', summary: 'any value: no colours, as --no-color does' },
  FORCE_COLOR: { group: 'screen', summary: 'colours in a pipe too; 0: none' },
  ACCESSIBLE: { group: 'screen', isFlag: true, summary: '1: plain questions, nothing is redrawn' },
  TERM: { group: 'screen', summary: 'dumb: plain questions, no colours, no pager, nothing is redrawn' },
  VISUAL: { group: 'programs', summary: 'the editor of update --edit (default: nano, notepad)' },
  EDITOR: { group: 'programs', summary: 'the same, where VISUAL is not set' },
  PAYROLL_PAGER: {
    group: 'programs',
    summary: 'the program that shows a long list (default: less); cat, or nothing: no pager',
  },
  PAGER: { group: 'programs', summary: 'the same, where PAYROLL_PAGER is not set' },
  LESS: { group: 'programs', summary: 'the options of less (default: those that show how to go on)' },
  BROWSER: {
    group: 'programs',
    summary: 'the program that opens the consent page; none: only print its address',
  },
  PAYROLL_RETRY_FOR: {
    group: 'network',
    summary: 'how long a read is tried again, as --retry-for does: 90s, 2m; 0: it is sent once',
  },
  HTTPS_PROXY: { group: 'network', summary: 'the proxy to the service; https_proxy, if it is set, wins' },
  https_proxy: { group: 'network', summary: 'the same' },
  ALL_PROXY: { group: 'network', summary: 'the proxy where HTTPS_PROXY is not set; all_proxy wins' },
  all_proxy: { group: 'network', summary: 'the same' },
  NO_PROXY: {
    group: 'network',
    summary: 'hosts that are reached without the proxy, with commas between; no_proxy wins',
  },
  no_proxy: { group: 'network', summary: 'the same' },
  NODE_EXTRA_CA_CERTS: {
    group: 'network',
    summary: 'a file with the certificates of your own authority (PEM)',
  },
  NODE_USE_SYSTEM_CA: {
    group: 'network',
    summary:
      '1: what this computer trusts is trusted too, such as an authority of your company (Node 22.19 or 24.6)',
  },
  NODE_TLS_REJECT_UNAUTHORIZED: {
    group: 'network',
    summary: '0, which turns off the certificate check, is refused: leave it unset',
  },
  HOME: { group: 'system', summary: 'your home folder, where the settings are, and the files of PostgreSQL' },
  LOCALAPPDATA: { group: 'system', summary: 'the folder of the settings on Windows' },
  APPDATA: { group: 'system', summary: 'the folder of the files of PostgreSQL on Windows' },
  DISPLAY: { group: 'system', summary: 'whether there is a screen to open a browser on' },
  WAYLAND_DISPLAY: { group: 'system', summary: 'the same' },
} as const satisfies Readonly<Record<string, Variable> & Record<SecretVariable, Variable>>

/** The name of a variable that payroll reads. */
export type VariableName = keyof typeof variables

/** The environment variables that the tool reads. Programs that it starts may get others too. */
export type Environment = { readonly [name in VariableName]?: string | undefined }

/** A variable that is on or off. */
export type FlagName = {
  [name in VariableName]: (typeof variables)[name] extends { isFlag: true } ? name : never
}[VariableName]

/** The variables of each part of the page, in the order of the table. */
export function variablesByGroup(): { title: string; rows: [VariableName, string][] }[] {
  const all = Object.entries(variables) as [VariableName, Variable][]
  return Object.entries(variableGroups).map(([group, title]) => ({
    title,
    rows: all.flatMap(([name, variable]) => (variable.group === group ? [[name, variable.summary]] : [])),
  }))
}
