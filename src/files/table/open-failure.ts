import { readdirSync } from 'node:fs'
import { platform } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { type Failure, systemCode, usage } from '../../errors.ts'
import { nearest } from '../../model/fields/nearest.ts'
import { systemCommands } from '../local/system-commands.ts'

/** The failure for a file that cannot be opened: where it was looked for, or who holds it. */
export function openFailure(path: string, code: string | undefined, system = platform()): Failure {
  if (code === 'ENOENT' || code === 'ENOTDIR') return noSuchFile(path)
  if (code === 'EISDIR') return usage(`${path} is a folder.`, 'Name one file in it.')
  const isHeld = code === 'EBUSY' || (system === 'win32' && (code === 'EPERM' || code === 'EACCES'))
  if (isHeld)
    return usage(
      `${path} cannot be opened: another program has it open (${code}).`,
      'Close it there, such as in Excel, then run the same command again.',
    )
  if (code === 'EACCES' || code === 'EPERM')
    return usage(
      `${path} cannot be opened: you may not read it (${code}).`,
      `To see whose it is: ${systemCommands(system).showOwner(path)}`,
    )
  return usage(`${path} cannot be opened (${code}).`)
}

/** What to throw for an error of opening or reading a file: its failure, or the error where no file caused it. */
export function asOpenFailure(path: string, error: unknown): unknown {
  const code = systemCode(error)
  return code === undefined ? error : openFailure(path, code)
}

function noSuchFile(path: string): Failure {
  const folder = dirname(resolve(path))
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch {
    return usage(`There is no file ${path}, and no folder ${folder}.`, 'Check the path.')
  }
  if (names.includes(basename(path))) return usage(`${path} is a link to a file that is not there.`)
  const where = isAbsolute(path) ? '' : ` in ${folder}`
  const likelyName = nearest(names, basename(path))
  const hint =
    likelyName === undefined
      ? 'Check its name, or give its whole path.'
      : `Did you mean ${join(dirname(path), likelyName)}?`
  return usage(`There is no file ${isAbsolute(path) ? path : basename(path)}${where}.`, hint)
}
