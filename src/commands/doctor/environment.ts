import { readFile, stat } from 'node:fs/promises'
import { proxyVariables } from '../../api/http/proxy.ts'
import type { Context } from '../../context/context.ts'
import { systemCode } from '../../errors.ts'
import { type Check, ok, problem, warning } from './doctor-check.ts'

/** The first of these variables that is set. */
function setOf(env: NodeJS.ProcessEnv, names: readonly string[]): string | undefined {
  return names.find((name) => env[name])
}

/** The proxy that the environment names, without the password that may stand in it. */
export function proxy({ host: { env, secrets } }: Context): Check {
  const name = setOf(env, proxyVariables.proxy)
  const exempt = setOf(env, proxyVariables.except)
  const except = exempt === undefined ? '' : `; ${exempt} is ${env[exempt]}`
  if (name === undefined) return ok('proxy', `none${except}`)
  const written = env[name] ?? ''
  if (!/^https?:\/\//i.test(written) || !URL.canParse(written)) {
    return warning(
      'proxy',
      `${name} is not a web address${except}`,
      'Write it like this: http://proxy:3128',
      name,
    )
  }
  const { protocol, host, password } = new URL(written)
  secrets.hide(password)
  return ok('proxy', `${protocol}//${host}${password && ', with a password'}${except}`, name)
}

/** More than this is no list of certificates. In bytes. */
const largest = 16 * 1024 * 1024

/** The file of one's own authority: Node takes a file that it cannot read for none, and says little. */
export async function certificates(env: NodeJS.ProcessEnv): Promise<Check> {
  const name = 'NODE_EXTRA_CA_CERTS'
  const file = env[name]
  if (!file) return ok('certificates', 'the ones that come with Node', 'default')
  const wrong = (found: string) =>
    problem('certificates', 'usage', `${file} ${found}`, 'Name the PEM file of your authority there.', name)
  try {
    const there = await stat(file)
    if (!there.isFile() || there.size > largest) return wrong('is not a file of certificates')
    const count = (await readFile(file, 'latin1')).split('-----BEGIN CERTIFICATE-----').length - 1
    if (count === 0) return wrong('has no certificate in it')
    return ok('certificates', `the ones of Node, and ${count} in ${file}`, name)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return wrong(code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`)
  }
}

/** Whether Node looks at certificates at all. */
export function verification(env: NodeJS.ProcessEnv): Check {
  const name = 'NODE_TLS_REJECT_UNAUTHORIZED'
  if (env[name] !== '0') return ok('verification', 'certificates are verified', env[name] ? name : 'default')
  const hint = 'Unset it. For a certificate of your own authority, use NODE_EXTRA_CA_CERTS.'
  return problem(
    'verification',
    'usage',
    `${name}=0 turns certificate checks off: anybody could pose as the service`,
    hint,
    name,
  )
}
