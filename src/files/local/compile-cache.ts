import { existsSync, mkdirSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { isOpenToOthers, modeOfDirectory, settingsDirectory } from './private-directory.ts'

/**
 * Where Node may keep what it compiles of the tool: `compiled`, in the folder of the settings, and only where that folder
 * is there, is the user's own and is closed to others. Who can write there runs code as the user. Makes the folder if it
 * is missing. Undefined for nowhere. On Windows, which has no modes, only the folder that payroll itself closes to others.
 */
export function compileCacheDirectory(env: NodeJS.ProcessEnv): string | undefined {
  try {
    const settings = settingsDirectory(env)
    const mode = modeOfDirectory(settings)
    const isClosed =
      platform() === 'win32'
        ? !env.PAYROLL_CONFIG_DIR && existsSync(settings)
        : mode !== undefined && !isOpenToOthers(mode)
    if (!isClosed) return undefined
    const directory = join(settings, 'compiled')
    if (!existsSync(directory)) mkdirSync(directory, 0o700)
    return directory
  } catch {
    // No folder, another user's, or a full disk: the tool is compiled again. A command that needs the folder says what is wrong.
    return undefined
  }
}
