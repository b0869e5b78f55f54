/**
 * Every environment variable that the tool reads, by the headings of `payroll help environment`, which is made of it.
 */
const variables = {
  'The service, and who asks:': {
    PAYROLL_PROFILE: 'the profile to use, as --profile does',
    PAYROLL_BASE_URL:
      'the address of the service; with PAYROLL_API_KEY it is all that is needed, without a stored profile',
    PAYROLL_API_KEY: 'the key of the service',
    PAYROLL_CLIENT_SECRET: 'the secret of the client application of auth login --browser, if it has one',
    PAYROLL_CLIENT_KEY_PASSPHRASE: 'the passphrase of an encrypted key of a client certificate',
    PAYROLL_AUTHORIZATION:
      'how the key is presented: {token} (the default), Bearer {token}, X-Api-Key: {token}; a profile that is named and says so wins',
    PAYROLL_ROUTES: 'a file of corrected routes, as routes export writes it; needs no stored profile',
    PAYROLL_COUNTRY:
      'the country of commands that name none, as in `profiles set --country`; its option wins, and so does a profile that is named',
    PAYROLL_EMPTY_FIELDS:
      'what it means where the service does not show a field: left-out (it is empty), hidden or ask (the default), as in `profiles set --empty-fields`; a profile that is named and says so wins',
    PAYROLL_READ_ONLY: '1: refuse every write, whatever the profile says; 0: allow what the profile allows',
    PAYROLL_CONFIG_DIR: 'where profiles, keys, drafts and the sandbox are stored: an absolute path',
    XDG_CONFIG_HOME: 'the folder that has the folder payroll in it, on Linux (default: ~/.config)',
  },
  'The database of the shared journal:': {
    PAYROLL_JOURNAL:
      'the shared journal, as postgres://user@host/database; that of a profile that you name comes first',
    PGPASSWORD: 'its password, as for psql; to store one: payroll journal login',
  },
  'Output and questions:': {
    PAYROLL_OUTPUT: 'the output format, as --output does',
    PAYROLL_ERRORS: 'how an error is printed, as --errors does: text or json',
    PAYROLL_NO_INPUT: '1: never ask a question, as --no-input does',
    CI: '1: never ask a question',
    PAYROLL_DEBUG: '1: print each request, as --debug does',
    NO_COLOR: 'any value: no colours, as --no-color does',
    FORCE_COLOR: 'colours in a pipe too; 0: none',
    ACCESSIBLE: '1: plain questions, nothing is redrawn',
    TERM: 'dumb: plain questions, no colours, no pager, nothing is redrawn',
  },
  'Programs that payroll starts:': {
    VISUAL: 'the editor of update --edit (default: nano, notepad)',
    EDITOR: 'the same, where VISUAL is not set',
    PAYROLL_PAGER: 'the program that shows a long list (default: less); cat, or nothing: no pager',
    PAGER: 'the same, where PAYROLL_PAGER is not set',
    LESS: 'the options of less (default: those that show how to go on)',
    BROWSER: 'the program that opens the consent page; none: only print its address',
  },
  'The network:': {
    PAYROLL_RETRY_FOR: 'how long a read is tried again, as --retry-for does: 90s, 2m; 0: it is sent once',
    HTTPS_PROXY: 'the proxy to the service; https_proxy, if it is set, wins',
    https_proxy: 'the same',
    ALL_PROXY: 'the proxy where HTTPS_PROXY is not set; all_proxy wins',
    all_proxy: 'the same',
    NO_PROXY: 'hosts that are reached without the proxy, with commas between; no_proxy wins',
    no_proxy: 'the same',
    NODE_EXTRA_CA_CERTS: 'a file with the certificates of your own authority (PEM)',
    NODE_USE_SYSTEM_CA:
      '1: what this computer trusts is trusted too, such as an authority of your company (Node 22.19 or 24.6)',
    NODE_TLS_REJECT_UNAUTHORIZED: '0, which turns off the certificate check, is refused: leave it unset',
  },
  'Read as the system sets them:': {
    HOME: 'your home folder, where the settings are, and the files of PostgreSQL',
    LOCALAPPDATA: 'the folder of the settings on Windows',
    DISPLAY: 'whether there is a screen to open a browser on',
    WAYLAND_DISPLAY: 'the same',
  },
} as const

type NamesIn<Group> = Group extends unknown ? keyof Group : never

/** The name of a variable that payroll reads. */
type VariableName = NamesIn<(typeof variables)[keyof typeof variables]>

/** The environment variables that the tool reads. Programs that it starts may get others too. */
export type Environment = { readonly [name in VariableName]?: string | undefined }

/** A variable that is on or off. */
export type FlagName = Extract<
  VariableName,
  'PAYROLL_READ_ONLY' | 'PAYROLL_NO_INPUT' | 'PAYROLL_DEBUG' | 'CI' | 'ACCESSIBLE'
>

/** The variables of each part of the page, in the order of the table. */
export const variablesByGroup = (): { title: string; rows: [string, string][] }[] =>
  Object.entries(variables).map(([title, group]) => ({ title, rows: Object.entries(group) }))
