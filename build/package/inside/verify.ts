import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileFile } from '../../../src/files/local/loader.ts'

/**
 * Fails for a file of `compile` that the running Node refuses; Node itself would only start slower, without a
 * word: `verify.mjs <dist> <folder> <names>`.
 */
const [, , dist = '', folder = '', ...names] = process.argv

const files = {
  text: (name: string) => readFileSync(join(dist, name), 'utf8'),
  compiled: (name: string) => readFileSync(join(folder, `${name}.compiled`)),
}
const refused = names.filter((name) => compileFile(name, files).cachedDataRejected)
if (names.length === 0 || refused.length > 0)
  throw new Error(`Node does not take what was compiled of: ${refused.join(', ')}`)
