import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemCode } from '../../errors.ts'
import { leftoversIn } from '../../files/leftovers.ts'
import { plural } from '../../formats/words.ts'
import { type Check, ok, skipped, warning } from './doctor-check.ts'

/** Unfinished forms, which hold data of a person. */
export async function drafts(directory: string | undefined): Promise<Check> {
  const check = await counted('drafts', directory, 'drafts', '.json')
  return typeof check === 'object' || check === 0
    ? asCheck('drafts', check)
    : { ...ok('drafts', `${plural(check, 'unfinished form')}`), hint: 'payroll candidates drafts list' }
}

/** The journals of imports, which a killed run leaves behind. */
export async function imports(directory: string | undefined): Promise<Check> {
  const check = await counted('imports', directory, 'imports', '.journal')
  return typeof check === 'object' || check === 0
    ? asCheck('imports', check)
    : ok('imports', `${plural(check, 'import journal')}`)
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
    `${plural(found.length, 'file')} left by a run that was killed: ${paths.slice(0, 10).join(', ')}`,
    gone && paths.every((path) => dirname(path) === directory)
      ? 'The next command that reads the settings removes them.'
      : `If no other payroll is running, remove them: rm ${paths
          .slice(0, 10)
          .map((path) => `'${path}'`)
          .join(' ')}`,
  )
}

const asCheck = (name: string, check: Check | 0): Check => (check === 0 ? ok(name, 'none') : check)

/** How many such files a folder has. The files are not opened: their content is private. */
async function counted(
  name: string,
  directory: string | undefined,
  folder: string,
  ending: string,
): Promise<number | Check> {
  if (directory === undefined) return skipped(name, 'there is no settings directory')
  try {
    const files = await readdir(join(directory, folder))
    return files.filter((file) => file.endsWith(ending)).length
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    if (code === 'ENOENT') return 0
    const path = join(directory, folder)
    return warning(name, `${path} cannot be read (${code})`, `To see who owns it: ls -ld '${path}'`)
  }
}
