import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import tls, { type SecureContext } from 'node:tls'
import type { Environment } from '../environment.ts'
import { type Failure, systemCode, usage } from '../errors.ts'
import { isOpenToOthers, octal } from '../files/private-directory.ts'
import type { CertificateFiles } from './settings-shape.ts'

/** What reading the files needs of the run. */
interface CertificateHost {
  readonly env: Environment
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** How each file is called in a message, and what to type for another. */
const files = {
  certificateAuthority: {
    noun: 'certificate authority',
    another: (profile) => `payroll profiles set ${profile} --certificate-authority <file>`,
  },
  clientCertificate: {
    noun: 'client certificate',
    another: (profile) => `payroll profiles set ${profile} --client-certificate <file>`,
  },
  clientKey: {
    noun: 'client key',
    another: (profile) => `payroll profiles set ${profile} --client-key <file>`,
  },
} as const satisfies Readonly<
  Record<keyof CertificateFiles, { noun: string; another: (profile: string) => string }>
>

/** One file of a profile. */
interface CertificateFile {
  readonly profile: string
  readonly kind: keyof CertificateFiles
  readonly path: string
}

/** More than this is no list of certificates. In bytes. */
const largest = 16 * 1024 * 1024

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const keyBlock = /-----BEGIN ([A-Z ]*)PRIVATE KEY-----[\s\S]+?-----END \1PRIVATE KEY-----/

/**
 * The TLS of a profile: its authority beside those that Node trusts by itself, and its client certificate. The files are read
 * each time, because certificates are renewed in place.
 *
 * @throws a usage failure that names the profile, the file and what to type
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
      // A company often hands out the certificate of the authority that signs, and not the root above it.
      allowPartialTrustChain: true,
    }),
    ...(client && {
      cert: client.chain.join('\n'),
      key: client.key,
      ...(client.passphrase && { passphrase: client.passphrase }),
    }),
  })
}

/** What the files of a profile hold. */
interface Certificates {
  readonly authorities?: readonly X509Certificate[]
  readonly client?: ClientCertificate
}

/**
 * Reads the files of a profile and checks them: PEM, in date, and a key that belongs to its certificate. Throws a usage failure as
 * `secureContextOf` does.
 */
export async function readCertificates(
  profile: string,
  { certificateAuthority, clientCertificate, clientKey }: CertificateFiles,
  host: CertificateHost,
): Promise<Certificates> {
  const fileOf = (kind: keyof CertificateFiles, path: string): CertificateFile => ({ profile, kind, path })
  return {
    ...(certificateAuthority && {
      authorities: await readAuthorities(fileOf('certificateAuthority', certificateAuthority), host),
    }),
    ...(clientCertificate && {
      client: await readClient(
        fileOf('clientCertificate', clientCertificate),
        clientKey === undefined ? undefined : fileOf('clientKey', clientKey),
        host,
      ),
    }),
  }
}

async function readAuthorities(
  file: CertificateFile,
  { now }: CertificateHost,
): Promise<readonly X509Certificate[]> {
  const all = certificatesIn(file, await read(file))
  // A list of many authorities may hold one that is over, beside the one that counts.
  const inDate = all.filter((each) => outOfDate(each, now()) === undefined)
  if (inDate.length > 0) return inDate
  throw wrong(file, outOfDate(all[0] as X509Certificate, now()) as Flaw)
}

/** A client certificate, with its key. */
export interface ClientCertificate {
  readonly certificate: X509Certificate
  /** PEM: it, then the certificates between it and its authority. */
  readonly chain: readonly string[]
  /** PEM. */
  readonly key: string
  readonly passphrase?: string
  /** The file that the key is in. */
  readonly keyFile: string
}

async function readClient(
  file: CertificateFile,
  keyFile: CertificateFile | undefined,
  { env, now }: CertificateHost,
): Promise<ClientCertificate> {
  const bytes = await read(file)
  const chain = certificatesIn(file, bytes)
  const certificate = chain[0] as X509Certificate
  const date = outOfDate(certificate, now())
  if (date) throw wrong(file, date)
  const [key] = keyBlock.exec((keyFile ? await read(keyFile) : bytes).toString('latin1')) ?? []
  if (key === undefined) {
    throw keyFile
      ? wrong(keyFile, { says: 'has no private key in it (PEM)' })
      : wrong(file, { says: 'has no private key in it', hint: 'Name the file of its key with --client-key.' })
  }
  const passphrase = env.PAYROLL_CLIENT_KEY_PASSPHRASE
  assertFits(certificate, key, passphrase, keyFile ?? file, file)
  return {
    certificate,
    chain: chain.map(String),
    key,
    ...(passphrase && { passphrase }),
    keyFile: (keyFile ?? file).path,
  }
}

/** Throws a usage failure for a key that cannot be opened, or that belongs to another certificate. */
function assertFits(
  certificate: X509Certificate,
  key: string,
  passphrase: string | undefined,
  keyFile: CertificateFile,
  file: CertificateFile,
): void {
  const isEncrypted = key.includes('ENCRYPTED')
  if (isEncrypted && !passphrase) {
    throw wrong(keyFile, {
      says: 'has an encrypted key',
      hint: `Set PAYROLL_CLIENT_KEY_PASSPHRASE to its passphrase. Or store the key without one, in a file that only you can read: openssl pkey -in '${keyFile.path}' -out <file>`,
    })
  }
  let fits: boolean
  try {
    fits = certificate.checkPrivateKey(createPrivateKey({ key, ...(passphrase && { passphrase }) }))
  } catch {
    throw wrong(keyFile, {
      says: isEncrypted
        ? 'has a key that PAYROLL_CLIENT_KEY_PASSPHRASE does not open'
        : 'has a private key that cannot be read',
    })
  }
  if (fits) return
  throw keyFile === file
    ? wrong(file, { says: 'has the key of another certificate' })
    : wrong(keyFile, { says: `does not belong to the client certificate (${file.path})` })
}

/** The mode of the file of a key that other users may read: `0644`. Undefined for one that is closed, and on Windows. */
export async function openMode(path: string): Promise<string | undefined> {
  if (platform() === 'win32') return undefined
  const { mode } = await stat(path)
  return isOpenToOthers(mode) ? octal(mode) : undefined
}

/** What Node trusts by itself, with NODE_EXTRA_CA_CERTS: a list of one's own would replace it. */
async function usualAuthorities({ NODE_EXTRA_CA_CERTS: extra }: Environment): Promise<readonly string[]> {
  // Node 20 does not have it.
  const { getCACertificates } = tls as { getCACertificates?: (which: 'default') => string[] }
  if (getCACertificates) return getCACertificates('default')
  // Node itself takes a file that it cannot read for none.
  const more = extra ? await readFile(extra, 'latin1').catch(() => '') : ''
  return [...tls.rootCertificates, ...(more.match(certificateBlock) ?? [])]
}

async function read(file: CertificateFile): Promise<Buffer> {
  try {
    const about = await stat(file.path)
    if (!about.isFile() || about.size > largest) throw wrong(file, { says: 'is no file of certificates' })
    return await readFile(file.path)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    throw wrong(file, { says: code === 'ENOENT' ? 'is not there' : `cannot be read (${code})` })
  }
}

/** The certificates of a file, one at least: PEM, or one in the bytes of DER, as Windows exports it. */
function certificatesIn(file: CertificateFile, bytes: Buffer): readonly X509Certificate[] {
  const blocks = bytes.toString('latin1').match(certificateBlock)
  // The first byte of anything in DER.
  const isDer = bytes[0] === 0x30
  if (!blocks && !isDer) throw wrong(file, { says: 'has no certificate in it (PEM)' })
  try {
    return (blocks ?? [bytes]).map((each) => new X509Certificate(each))
  } catch {
    if (blocks) throw wrong(file, { says: 'has a certificate that cannot be read' })
    throw wrong(file, {
      says: 'is not PEM',
      ...(file.kind === 'clientCertificate' && {
        hint: `A .pfx or .p12 file is made into PEM, its key included, by: openssl pkcs12 -in '${file.path}' -out client.pem -nodes`,
      }),
    })
  }
}

interface Flaw {
  /** The rest of a sentence about the file. */
  readonly says: string
  readonly hint?: string
}

function outOfDate({ validFrom, validTo }: X509Certificate, now: number): Flaw | undefined {
  if (Date.parse(validTo) < now) return { says: `expired on ${dayOf(validTo)}` }
  if (Date.parse(validFrom) <= now) return undefined
  return {
    says: `is not valid before ${dayOf(validFrom)}`,
    hint: 'Check the clock of this computer.',
  }
}

/** `2027-01-31`. */
export const dayOf = (date: string) => new Date(date).toISOString().slice(0, 10)

function wrong({ profile, kind, path }: CertificateFile, { says, hint }: Flaw): Failure {
  return usage(
    `The ${files[kind].noun} of ${profile} (${path}) ${says}.`,
    hint ?? `To name another: ${files[kind].another(profile)}`,
  )
}
