import { usage } from '../../errors.ts'

/** Where a shared journal is, without the password. */
export interface SharedJournalAddress {
  /** The whole address, to be shown; it never has a password. */
  readonly text: string
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  /** Tells companies apart that share an address of the service; empty if there is one. */
  readonly company: string
  /** Whether to use TLS even on this computer. */
  readonly verify: boolean
  /** A file with the certificate of the authority that signed the server's. */
  readonly rootCertificate?: string | undefined
}

const exampleAddress = 'postgres://payroll@db.example.com/payroll'
const settingNames = ['company', 'sslmode', 'sslrootcert']

/** Reads an address. Throws a usage failure about `what`, which does not repeat the text: it may be a password. */
export function readSharedJournalAddress(written: string, what: string): SharedJournalAddress {
  const text = written.trim()
  if (!/^postgres(ql)?:\/\/[^\s\p{Cc}\p{Cf}]{1,1000}$/iu.test(text) || !URL.canParse(text))
    throw usage(`${what} is not the address of a PostgreSQL database.`, `Write it like ${exampleAddress}`)
  const url = new URL(text)
  if (url.password !== '' || /[?&]password=/i.test(url.search)) throw withPassword(what)
  if (url.hash !== '') throw usage(`${what} contains a fragment.`, `Write it like ${exampleAddress}`)
  const parameters = url.searchParams
  for (const name of parameters.keys()) {
    if (!settingNames.includes(name))
      throw usage(
        `${what} contains a parameter that payroll does not know. It knows ${settingNames.join(', ')}.`,
      )
  }
  const parameter = (name: string) => parameters.get(name) || undefined
  const host = decodePart(url.hostname.replace(/^\[|\]$/g, ''))
  const [database, user] = [url.pathname.slice(1), url.username].map(decodePart)
  if (!host || !database || !user)
    throw usage(
      `${what} has to name the user, the server and the database.`,
      `Write it like ${exampleAddress}`,
    )
  const company = parameter('company') ?? ''
  if (!/^[A-Za-z0-9_.-]{0,64}$/.test(company))
    throw usage(`The company in ${what} may have up to 64 letters, digits, dots, hyphens and underscores.`)
  const mode = parameter('sslmode')
  if (mode !== undefined && mode !== 'verify-full' && !(mode === 'disable' && isLocal(host)))
    throw usage(
      `${what} asks for sslmode=${/^[a-z-]{1,20}$/.test(mode) ? mode : '…'}: only verify-full is used.`,
    )
  return {
    text,
    company,
    verify: mode === 'verify-full',
    host,
    port: Number(url.port) || 5432,
    database,
    user,
    rootCertificate: parameter('sslrootcert'),
  }
}

/** Whether a host is this computer, which needs no TLS. */
export function isLocal(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host)
}

/** The failure for an address with a password: other users can read options and variables. */
function withPassword(what: string) {
  return usage(
    `${what} contains a password. It was not stored.`,
    'Leave it out of the address, then: payroll journal login --profile <name>. payroll also takes it from PGPASSWORD.',
  )
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
