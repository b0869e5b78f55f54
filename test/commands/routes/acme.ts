import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshHome, payroll } from '../../payroll.ts'
import { file } from '../targets.ts'

/** A home with a stored profile `acme`, without the read on which auth login tries a key, and its routes. */
export function acmeAt(baseUrl = 'http://127.0.0.1:9', more: object = {}) {
  const home = freshHome()
  const keys = { acme: { origin: new URL(baseUrl).origin, key: 'CANARYkey0000' } }
  const settings = { default: 'acme', profiles: { acme: { baseUrl, ...more } }, keys }
  chmodSync(file(home, 'config.json', JSON.stringify(settings)), 0o600)
  const run = (words: string, input = '') => payroll(words.split(' '), { home, input })
  const set = (operation: string, route: string, ...options: readonly string[]) =>
    payroll(['routes', 'set', operation, route, ...options], { home })
  /** What `routes export` prints. */
  const exported = async () => (await run('routes export')).json()
  const stored = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8')).profiles.acme.routes
  return { home, run, set, exported, stored }
}
