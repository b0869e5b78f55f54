import { existsSync } from 'node:fs'
import { readdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname, join } from 'node:path'
import type { Context } from '../../context/context.ts'
import { sharedJournalAddress, sharedJournalDatabase } from '../../context/shared-journal.ts'
import type { Profile } from '../../credentials/resolve.ts'
import { inspectSettings, type Settings, settingsFile } from '../../credentials/settings.ts'
import { emptySettings } from '../../credentials/settings-shape.ts'
import { storedSecrets } from '../../credentials/stored-credentials.ts'
import type { Environment } from '../../environment.ts'
import { Failure, systemCode } from '../../errors.ts'
import { leftoversIn, partName } from '../../files/leftovers.ts'
import {
  checkPrivateDirectory,
  createDirectory,
  isOpenToOthers,
  modeOfDirectory,
  octal,
  unwritable,
} from '../../files/private-directory.ts'
import { systemCommands } from '../../files/system-commands.ts'
import { plural } from '../../formats/words.ts'
import { attempted, type Finding, ok, problem, problemOf, skipped, warning } from './doctor-check.ts'

/** What is kept on this computer, as it is. */
export interface Store {
  readonly found: Readonly<Record<'directory' | 'settings', Finding>>
  /** Undefined where it is not to be trusted, or there is no place for it. */
  readonly directory?: string
  /** Throws the failure that any command would end with. */
  readonly settings: () => Promise<Settings>
}

/** The directory of the settings and their file: whose they are, and whether they can be read. Closes neither. */
export async function checkStore(context: Context): Promise<Store> {
  const { env } = context.host
  const directory = await attempted(context.directory)
  if (directory instanceof Failure) return unusable(directory, 'PAYROLL_CONFIG_DIR')
  const from = placeOf(directory, env)
  const mode = await attempted(async () => modeOfDirectory(directory))
  if (mode instanceof Failure) return unusable(mode, from)
  const privately = await attempted(() => checkPrivateDirectory(directory))
  if (privately instanceof Failure) return unusable(privately, from)

  const file = settingsFile(directory)
  const looked = await attempted(() => inspectSettings(directory))
  const found = { directory: await directoryFinding(directory, mode, from) }
  if (looked instanceof Failure) {
    const settings = { hint: `To see who owns it: ${systemCommands().showOwner(file)}`, ...problemOf(looked) }
    return { directory, found: { ...found, settings }, settings: () => Promise.reject(looked) }
  }
  const settings = looked?.settings ?? emptySettings
  for (const secret of storedSecrets(settings)) context.host.secrets.hide(secret)
  const settingsFinding = looked ? privacy(file, looked.mode, '600') : ok('none stored yet')
  return { directory, found: { ...found, settings: settingsFinding }, settings: async () => settings }
}

function unusable(failure: Failure, from: string): Store {
  return {
    found: { directory: problemOf(failure, from), settings: skipped('fix the directory first') },
    settings: () => Promise.reject(failure),
  }
}

/** What is to be said of a directory of payroll: its mode, unless no file can be written into it. */
async function directoryFinding(directory: string, mode: number | undefined, from: string): Promise<Finding> {
  const isOnWindows = platform() === 'win32' && existsSync(directory)
  const finding = isOnWindows ? await access(directory, from) : privacy(directory, mode, '700', from)
  if (finding.status === 'problem') return finding
  const failure = await attempted(() => tryToWrite(directory))
  return failure instanceof Failure ? problemOf(failure, from) : finding
}

/**
 * Writes a file into the directory, which it creates if it is missing, and removes both: a mode does not tell of a disk
 * that is full or read-only. Throws the Failure that a command which stores something would end with.
 */
async function tryToWrite(directory: string): Promise<void> {
  const created = await createDirectory(directory)
  const file = join(directory, partName())
  try {
    await writeFile(file, 'tried by payroll doctor\n', { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    throw unwritable(`The directory ${directory} cannot be written to`, code)
  } finally {
    await rm(file, { force: true })
    if (created !== undefined) await removeEmpty(directory, created)
  }
}

/** Removes an empty directory and those above it, up to one of them. One that another run uses by now stays. */
async function removeEmpty(directory: string, last: string): Promise<void> {
  try {
    await rmdir(directory)
  } catch {
    return
  }
  if (directory !== last) await removeEmpty(dirname(directory), last)
}

/** A directory of Windows, by the list of those whom it lets in. */
async function access(directory: string, from: string): Promise<Finding> {
  const { accessTo } = await import('../../files/windows-access.ts')
  const who = await accessTo(directory)
  if (!who) return ok(`${directory}; Windows does not say who may open it`, from)
  const { others, remedy } = who
  if (others.length === 0) return ok(`${directory}, open only to you and the administrators`, from)
  return warning(
    `${directory} is open to others: ${others.join(', ')}`,
    `To let in only yourself: ${remedy}`,
    from,
  )
}

/** A file or directory that is ours, by its mode. Without one it is missing, or Windows keeps it by other means. */
function privacy(path: string, mode: number | undefined, wanted: string, from?: string): Finding {
  if (mode === undefined) return ok(path, from)
  if ((mode & 0o400) === 0) {
    const hint = `To open it for yourself: chmod ${wanted} '${path}'`
    return problem('usage', `${path} cannot be read even by you, mode ${octal(mode)}`, hint, from)
  }
  if (!isOpenToOthers(mode)) return ok(`${path}, open only to you, mode ${octal(mode)}`, from)
  return warning(
    `${path} is open to other users, mode ${octal(mode)}`,
    `The next command that writes fixes this. To fix it now: chmod ${wanted} '${path}'`,
    from,
  )
}

function placeOf(directory: string, env: Environment): string {
  if (env.PAYROLL_CONFIG_DIR) return 'PAYROLL_CONFIG_DIR'
  const shared = env.XDG_CONFIG_HOME
  return shared && directory === join(shared, 'payroll') ? 'XDG_CONFIG_HOME' : 'default'
}

/** Whether imports can use the journal that several computers share. It claims nothing. */
export async function checkJournal(
  context: Context,
  profile: Profile | undefined,
  settings: Context['settings'],
): Promise<Finding> {
  if (!profile) return skipped('no service can be used yet')
  if (profile.kind === 'sandbox') return skipped('not needed: the sandbox runs inside this tool')
  // The settings as they are: to open them as a run does would remove what a killed run left.
  const used = { ...context, profile: async () => profile, settings }
  const address = await attempted(() => sharedJournalAddress(used))
  if (address instanceof Failure) return problemOf(address)
  if (!address) return ok('on this computer; none is shared with others', 'default')
  const from = address.text === context.host.env.PAYROLL_JOURNAL?.trim() ? 'PAYROLL_JOURNAL' : 'stored'
  const found = await attempted(async () => {
    const { place, passwordFrom, examine } = await sharedJournalDatabase(used, address)
    const password = passwordFrom === undefined ? '' : `, password from ${passwordFrom}`
    return `${place}: its table has version ${await examine()}, and no pooler changes its connections${password}`
  })
  return found instanceof Failure ? problemOf(found, from) : ok(found, from)
}

/** Unfinished forms, which hold data of a person. */
export async function checkDrafts(directory: string | undefined): Promise<Finding> {
  const count = await countFiles(directory, 'drafts', '.json')
  if (typeof count === 'object') return count
  return count === 0
    ? ok('none')
    : { ...ok(plural(count, 'unfinished form')), hint: 'payroll candidates drafts list' }
}

/** The journals of imports, which a killed run leaves behind. */
export async function checkImports(directory: string | undefined): Promise<Finding> {
  const count = await countFiles(directory, 'imports', '.journal')
  if (typeof count === 'object') return count
  return ok(count === 0 ? 'none' : plural(count, 'import journal'))
}

/**
 * What killed runs left half written, in the settings and where payroll is run: a record that was open in an editor
 * lies there in clear.
 */
export async function checkLeftovers(directory: string | undefined): Promise<Finding> {
  const folders = [...(directory === undefined ? [] : [directory]), '.']
  const found = (await Promise.all(folders.map(leftoversIn))).flat().filter(({ run }) => run !== 'under way')
  if (found.length === 0) return ok('none')
  const paths = found.map(({ path }) => path)
  const gone = found.every(({ run }) => run === 'gone')
  return warning(
    `${plural(found.length, 'file')} left by a run that was killed: ${paths.slice(0, 10).join(', ')}`,
    gone && paths.every((path) => dirname(path) === directory)
      ? 'The next command that reads the settings removes them.'
      : `If no other payroll is running, remove them: ${systemCommands().remove(paths.slice(0, 10))}`,
  )
}

/** How many such files a folder has. The files are not opened: their content is private. */
async function countFiles(
  directory: string | undefined,
  folder: string,
  ending: string,
): Promise<number | Finding> {
  if (directory === undefined) return skipped('there is no settings directory')
  try {
    const files = await readdir(join(directory, folder))
    return files.filter((file) => file.endsWith(ending)).length
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    if (code === 'ENOENT') return 0
    const path = join(directory, folder)
    return warning(
      `${path} cannot be read (${code})`,
      `To see who owns it: ${systemCommands().showOwner(path)}`,
    )
  }
}
