import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { leftoversIn } from '../../files/leftovers.ts'
import { systemCode } from '../../files/private-directory.ts'
import { type Check, ok, skipped, warning } from './doctor-check.ts'

/** What a form has kept of a person, and nobody has sent yet. */
export async function drafts(directory: string | undefined): Promise<Check> {
  const check = await counted('drafts', directory, 'drafts', '.json')
  return typeof check === 'object' || check === 0
    ? asCheck('drafts', check)
    : { ...ok('drafts', `${count(check, 'draft')} of a form`), hint: 'payroll candidates drafts list' }
}

/** The journals of imports, of which a killed run leaves one behind. */
export async function imports(directory: string | undefined): Promise<Check> {
  const check = await counted('imports', directory, 'imports', '.journal')
  return typeof check === 'object' || check === 0
    ? asCheck('imports', check)
    : ok('imports', `${count(check, 'journal')} of an import`)
}

/**
 * What killed runs left half written, in the settings and where payroll is run: a record that was open in an editor
 * lies there in clear.
 */
export async function leftovers(directory: string | undefined): Promise<Check> {
  const name = 'leftovers'
  const folders = [...(directory === undefined ? [] : [directory]), '.']
  const found = (await Promise.all(folders.map(leftoversIn))).flat().filter(({ run }) => run !== 'under way')
  if (found.length === 0) return ok(name, 'none')
  const paths = found.map(({ path }) => path)
  const gone = found.every(({ run }) => run === 'gone')
  return warning(
    name,
    `${count(found.length, 'file')} of a run that was killed: ${paths.slice(0, 10).join(', ')}`,
    gone && paths.every((path) => dirname(path) === directory)
      ? 'The next command that reads the settings removes them.'
      : `Remove them, if no payroll is running elsewhere: rm ${paths
          .slice(0, 10)
          .map((path) => `'${path}'`)
          .join(' ')}`,
  )
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

const asCheck = (name: string, check: Check | 0): Check => (check === 0 ? ok(name, 'none') : check)

/** How many such files a folder has. It is not opened to look: nothing in it is anybody's business here. */
async function counted(
  name: string,
  directory: string | undefined,
  folder: string,
  ending: string,
): Promise<number | Check> {
  if (directory === undefined) return skipped(name, 'there is no directory to look in')
  try {
    const files = await readdir(join(directory, folder))
    return files.filter((file) => file.endsWith(ending)).length
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    if (code === 'ENOENT') return 0
    const path = join(directory, folder)
    return warning(name, `${path} cannot be read (${code})`, `See whose it is: ls -ld '${path}'`)
  }
}
