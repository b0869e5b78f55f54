import { join } from 'node:path'
import type { Context } from '../../context/context.ts'
import { Failure } from '../../errors.ts'
import {
  checkPrivateDirectory,
  isOpenToOthers,
  modeOfDirectory,
  octal,
} from '../../files/private-directory.ts'
import { storedSecrets } from '../../profile/keys/key-store.ts'
import { inspectSettings, type Settings, settingsFile } from '../../profile/settings/settings.ts'
import { emptySettings } from '../../profile/settings/settings-shape.ts'
import { attempted, type Check, ok, problem, problemOf, skipped, warning } from './doctor-check.ts'

/** What is kept on this computer, as it is. */
interface Store {
  readonly checks: readonly Check[]
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
  const mode = await attempted(() => modeOfDirectory(directory))
  if (mode instanceof Failure) return unusable(mode, from)
  const privately = await attempted(() => checkPrivateDirectory(directory))
  if (privately instanceof Failure) return unusable(privately, from)

  const file = settingsFile(directory)
  const looked = await attempted(() => inspectSettings(directory))
  const directoryCheck = privacy('directory', directory, mode, '700', from)
  if (looked instanceof Failure) {
    return {
      directory,
      checks: [
        directoryCheck,
        { hint: `To see who owns it: ls -l '${file}'`, ...problemOf('settings', looked) },
      ],
      settings: () => Promise.reject(looked),
    }
  }
  const settings = looked?.settings ?? emptySettings
  for (const secret of storedSecrets(settings)) context.host.secrets.hide(secret)
  const settingsCheck = looked
    ? privacy('settings', file, looked.mode, '600')
    : ok('settings', 'none stored yet')
  return { directory, checks: [directoryCheck, settingsCheck], settings: async () => settings }
}

function unusable(failure: Failure, from: string): Store {
  return {
    checks: [problemOf('directory', failure, from), skipped('settings', 'fix the directory first')],
    settings: () => Promise.reject(failure),
  }
}

/** A file or directory that is ours, by its mode. Without one it is missing, or Windows keeps it by other means. */
function privacy(name: string, path: string, mode: number | undefined, wanted: string, from?: string): Check {
  if (mode === undefined) return ok(name, path, from)
  if ((mode & 0o400) === 0) {
    const hint = `To open it for yourself: chmod ${wanted} '${path}'`
    return problem(name, 'usage', `${path} cannot be read even by you, mode ${octal(mode)}`, hint, from)
  }
  if (!isOpenToOthers(mode)) return ok(name, `${path}, open only to you, mode ${octal(mode)}`, from)
  return warning(
    name,
    `${path} is open to other users, mode ${octal(mode)}`,
    `The next command that writes fixes this. To fix it now: chmod ${wanted} '${path}'`,
    from,
  )
}

function placeOf(directory: string, env: NodeJS.ProcessEnv): string {
  if (env.PAYROLL_CONFIG_DIR) return 'PAYROLL_CONFIG_DIR'
  const shared = env.XDG_CONFIG_HOME
  return shared && directory === join(shared, 'payroll') ? 'XDG_CONFIG_HOME' : 'default'
}
