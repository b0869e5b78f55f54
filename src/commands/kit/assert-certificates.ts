import type { Context } from '../../context/context.ts'
import type { CertificateFiles, StoredProfile } from '../../credentials/settings.ts'
import { usage } from '../../errors.ts'
import { optionWord } from '../cli/options.ts'

const certificateFiles = [
  'certificateAuthority',
  'clientCertificate',
  'clientKey',
] as const satisfies readonly (keyof CertificateFiles)[]

/**
 * Reads the certificates that a profile would have, and says where its client certificate goes from then on. Throws a usage
 * failure for files that cannot be used.
 */
export async function assertCertificates(
  context: Context,
  name: string,
  stored: StoredProfile,
  changes: StoredProfile,
): Promise<void> {
  const profile = { ...stored, ...changes }
  const { baseUrl, certificateAuthority, clientCertificate, clientKey } = profile
  if (clientKey && !clientCertificate) {
    throw usage(
      `A client key needs its certificate, and ${name} has none.`,
      `payroll profiles set ${name} --client-certificate <file> --client-key <file>`,
    )
  }
  if (!certificateAuthority && !clientCertificate) return
  if (baseUrl === undefined) {
    throw usage(
      `Certificates are for the address of a profile, and ${name} has none yet.`,
      'Add it: --base-url https://…',
    )
  }
  if (!certificateFiles.some((each) => changes[each]) && changes.baseUrl === undefined) return
  if (!baseUrl.startsWith('https:')) {
    const none = certificateFiles.filter((each) => stored[each]).map((each) => ` ${optionWord(each)} none`)
    throw usage(
      `${baseUrl} is not an https address, so the certificates of ${name} would have no effect.`,
      none.length > 0 ? `To take them away: payroll profiles set ${name}${none.join('')}` : 'Leave them out.',
    )
  }
  const { readCertificates } = await import('../../credentials/certificates.ts')
  const { client } = await readCertificates(name, profile, context.host)
  const before = stored.baseUrl && new URL(stored.baseUrl).origin
  const { origin } = new URL(baseUrl)
  if (client && !changes.clientCertificate && before && before !== origin)
    context.warn(
      `the client certificate of ${name} goes to ${origin} from now on, and no longer to ${before}. To take it away: payroll profiles set ${name} --client-certificate none`,
    )
}
