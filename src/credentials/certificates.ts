import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import tls, { type SecureContext } from 'node:tls'
import type { Environment } from '../environment.ts'
import { type Failure, systemCode, usage } from '../errors.ts'
import { spelledOut, utcDay } from '../text/day.ts'
import type { CertificateFiles } from './settings.ts'

interface CertificateHost {
  readonly env: Environment
  /** Milliseconds since 1970. */
  readonly now: () => number
}

interface CertificateFile {
  readonly profile: string
  readonly kind: keyof CertificateFiles
  readonly path: string
}

const largestCertificate = 16 * 1024 * 1024

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const keyBlock = /-----BEGIN ([A-Z ]*)PRIVATE KEY-----[\s\S]+?-----END \1PRIVATE KEY-----/

/**
 * The TLS settings of a profile. The files are read each time, because certificates are renewed in place.
 * Throws a usage failure that names the profile, the file and what to type.
 */
export async function secureContextOf(
  profile: string,
  paths: CertificateFiles,
  host: CertificateHost,
): Promise<SecureContext> {
  const { authorities, client } = await readCertificates(profile, paths, host)
  return tls.createSecureContext({
    ...(authorities && {
      ca: [...(await usualAuthorities(host.env)), ...authorities.map(String)],
      // A company often hands out an intermediate certificate without the root above it.
      allowPartialTrustChain: true,
    }),
    ...client?.pem,
  })
}

interface ClientCertificate {
  readonly certificate: X509Certificate
  readonly keyFile: string
  /** `cert`: the certificate, then those between it and its authority. */
  readonly pem: { readonly cert: string; readonly key: string; readonly passphrase: string | undefined }
}

/** Reads and checks the files of a profile. Throws as `secureContextOf` does. */
export async function readCertificates(
  profile: string,
  { certificateAuthority, clientCertificate, clientKey }: CertificateFiles,
  host: CertificateHost,
): Promise<{ readonly authorities?: readonly X509Certificate[]; readonly client?: ClientCertificate }> {
  const fileOf = (kind: keyof CertificateFiles, path: string): CertificateFile => ({ profile, kind, path })
  const authority = certificateAuthority && fileOf('certificateAuthority', certificateAuthority)
  const client = clientCertificate && fileOf('clientCertificate', clientCertificate)
  return {
    ...(authority && { authorities: await readAuthorities(authority, host) }),
    ...(client && {
      client: await readClient(client, clientKey ? fileOf('clientKey', clientKey) : client, host),
    }),
  }
}

async function readAuthorities(
  file: CertificateFile,
  { now }: CertificateHost,
): Promise<readonly X509Certificate[]> {
  const certificates = certificatesIn(file, await readCertificate(file))
  // A list of authorities may hold an expired one besides the one that is needed.
  const inDate = certificates.filter((each) => outOfDate(each, now()) === undefined)
  if (inDate.length === 0) throw wrong(file, outOfDate(certificates[0], now()) ?? '')
  return inDate
}

async function readClient(
  file: CertificateFile,
  keyFile: CertificateFile,
  { env, now }: CertificateHost,
): Promise<ClientCertificate> {
  const chain = certificatesIn(file, await readCertificate(file))
  const [certificate] = chain
  const date = outOfDate(certificate, now())
  if (date) throw wrong(file, date)
  const [key] = keyBlock.exec(await readCertificate(keyFile)) ?? []
  if (key === undefined) throw wrong(keyFile, 'has no private key in it (PEM)')
  const passphrase = env.PAYROLL_CLIENT_KEY_PASSPHRASE || undefined
  const unreadable =
    'has a private key that cannot be read (an encrypted one with the passphrase in PAYROLL_CLIENT_KEY_PASSPHRASE)'
  // OpenSSL takes a key of another kind than that of the certificate, and the handshake fails.
  const isIts = attempt(keyFile, unreadable, () =>
    certificate.checkPrivateKey(createPrivateKey({ key, passphrase })),
  )
  if (!isIts) throw wrong(keyFile, `does not belong to the client certificate (${file.path})`)
  const pem = { cert: chain.join('\n'), key, passphrase }
  attempt(file, 'cannot be used on this computer', () => tls.createSecureContext({ ...pem, ca: [] }))
  return { certificate, keyFile: keyFile.path, pem }
}

/** Reads with OpenSSL. A failure has only its code, because its message may quote the file. */
function attempt<T>(file: CertificateFile, says: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw wrong(file, `${says}: ${error instanceof Error && 'code' in error ? error.code : 'unreadable'}`)
  }
}

/**
 * The authorities that Node trusts without any setting. They have to be named, because a list of one's own
 * replaces them.
 */
async function usualAuthorities(env: Environment): Promise<readonly string[]> {
  // Node 20 does not have it.
  const { getCACertificates } = tls as { getCACertificates?: (which: 'default') => string[] }
  if (getCACertificates) return getCACertificates('default')
  return [...tls.rootCertificates, ...(await extraAuthorities(env))]
}

/** The authorities of NODE_EXTRA_CA_CERTS. Node ignores a file that it cannot read, and so does this. */
export async function extraAuthorities({
  NODE_EXTRA_CA_CERTS: extra,
}: Environment): Promise<readonly string[]> {
  const text = extra ? await readFile(extra, 'latin1').catch(() => '') : ''
  return text.match(certificateBlock) ?? []
}

async function readCertificate(file: CertificateFile): Promise<string> {
  try {
    const about = await stat(file.path)
    if (!about.isFile() || about.size > largestCertificate) throw wrong(file, 'is not a file of certificates')
    return await readFile(file.path, 'latin1')
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    throw wrong(file, code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`)
  }
}

function certificatesIn(
  file: CertificateFile,
  text: string,
): readonly [X509Certificate, ...X509Certificate[]] {
  const [first, ...others] = text.match(certificateBlock) ?? []
  if (first === undefined)
    throw wrong(file, 'has no certificate in it (PEM, which Windows calls Base-64 encoded X.509)')
  const read = (each: string) => new X509Certificate(each)
  return attempt(file, 'has a certificate that cannot be read', () => [read(first), ...others.map(read)])
}

const dayOfTime = (time: string) => spelledOut(utcDay(Date.parse(time)))

function outOfDate({ validFrom, validTo }: X509Certificate, now: number): string | undefined {
  if (Date.parse(validTo) < now) return `expired on ${dayOfTime(validTo)}`
  return Date.parse(validFrom) > now ? `is not valid before ${dayOfTime(validFrom)}` : undefined
}

function wrong({ profile, kind, path }: CertificateFile, says: string): Failure {
  const noun = kind.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`)
  const another = ` --${noun.replace(' ', '-')} <file>`
  return usage(
    `The ${noun} of ${profile} (${path}) ${says}.`,
    `To name another: payroll profiles set ${profile}${another}`,
  )
}
