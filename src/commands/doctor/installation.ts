import type { Context } from '../../context/context.ts'
import type { Host } from '../../context/host.ts'
import { type Check, ok, problem, skipped } from './doctor-check.ts'

type Running = Pick<Context, 'version'> & { readonly host: Pick<Host, 'node'> }

/** The oldest Node that package.json allows: its major and minor version. */
const oldest = [20, 19] as const

/** Which payroll runs, on which Node. */
export function installation({ version, host: { node } }: Running): Check[] {
  return [ok('payroll', version), node === undefined ? skipped('node', 'not known') : nodeCheck(node)]
}

function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return ok('node', version)
  const wanted = oldest.join('.')
  return problem('node', 'usage', `${version} is older than ${wanted}`, `Install Node ${wanted} or newer.`)
}
