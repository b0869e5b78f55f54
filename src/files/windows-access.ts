import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, win32 } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { systemCode } from '../errors.ts'

/** Runs a program of Windows by its path, without a shell, and returns what it printed. Throws the error of the system, or its exit code as `code`. */
type Run = (program: string, args: readonly string[]) => Promise<string>

const runProgram: Run = async (program, args) => {
  const { SystemRoot, SystemDrive, USERDOMAIN, USERNAME } = process.env
  // Nothing else of the environment, in which keys may be.
  const env = { SystemRoot, SystemDrive, USERDOMAIN, USERNAME }
  const { stdout } = await promisify(execFile)(program, args, { env, timeout: 10_000, windowsHide: true })
  return stdout
}

/** By its whole path: never one of that name that lies where the tool happens to run. */
const systemProgram = (name: string) =>
  win32.join(process.env.SystemRoot || 'C:\\Windows', 'System32', `${name}.exe`)

/**
 * Lets only the user into a folder on Windows and into what is made in it later: the access list that it has from the folder
 * above is taken off. Returns the warning to show where that is not possible; the folder is then as it was.
 */
export async function closeFolder(folder: string, run: Run = runProgram): Promise<string | undefined> {
  const icacls = systemProgram('icacls')
  try {
    const user = await userAsOfIcacls(run)
    // In this order: a list without anybody would lock out the user too.
    await run(icacls, [folder, '/grant:r', `${user}:(OI)(CI)F`])
    await run(icacls, [folder, '/inheritance:r'])
    return undefined
  } catch (error) {
    const { code } = error as { code?: unknown }
    return `The folder ${folder} could not be closed to other users of this computer (icacls: ${code ?? 'unknown'}). To see who may open it: payroll doctor`
  }
}

/** The user as icacls takes one: by the number, which is the same in every language, or by name. */
async function userAsOfIcacls(run: Run): Promise<string> {
  const { USERDOMAIN, USERNAME = '' } = process.env
  const sid = await ownSid(run)
  return sid !== undefined ? `*${sid}` : USERDOMAIN ? `${USERDOMAIN}\\${USERNAME}` : USERNAME
}

async function ownSid(run: Run): Promise<string | undefined> {
  const told = await run(systemProgram('whoami'), ['/user', '/fo', 'csv', '/nh']).catch(() => '')
  return /S-1-[\d-]+/.exec(told)?.[0]
}

/** Who may open a folder of Windows. */
interface FolderAccess {
  /** Besides the user, Windows itself and the administrators, who may open everything. */
  readonly others: readonly string[]
  /** What lets in the user alone. */
  readonly remedy: string
}

/** Reads who may open a folder. Undefined where Windows does not say. Changes nothing. */
export async function accessTo(folder: string, run: Run = runProgram): Promise<FolderAccess | undefined> {
  const place = await mkdtemp(join(tmpdir(), 'payroll-'))
  try {
    const file = join(place, 'access.txt')
    // The list as numbers and abbreviations: the words that icacls prints are translated.
    await run(systemProgram('icacls'), [folder, '/save', file, '/q'])
    const others = othersIn(await readFile(file, 'utf16le'), await ownSid(run))
    const user = await userAsOfIcacls(run)
    const remedy = `icacls "${folder}" /grant:r "${user}:(OI)(CI)F" /inheritance:r`
    return others && { others, remedy }
  } catch (error) {
    if (systemCode(error) === undefined && !isExitCode(error)) throw error
    return undefined
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

const isExitCode = (error: unknown) => error instanceof Error && 'code' in error

/** Abbreviations of the security descriptor definition language, as SID Strings of Microsoft's documentation lists them. */
const groups: Readonly<Record<string, string>> = {
  AU: 'everybody who signs in',
  BG: 'guests',
  BU: 'every user of this computer',
  DU: 'every user of the domain',
  IU: 'everybody who signs in at this computer',
  WD: 'everybody',
}

/** The system, the administrators of the computer and of the domain, and the owner by other names. */
const trusted = ['SY', 'BA', 'DA', 'CO', 'OW']

/**
 * Those whom a list lets in, besides the user. An entry is `(A;OICI;FA;;;WD)`: the kind, A or XA to allow; what inherits
 * it; rights; and last but one or two whom. Undefined for a text that is no list.
 */
function othersIn(text: string, sid: string | undefined): string[] | undefined {
  if (!/D:[A-Z]*\(/.test(text)) return undefined
  const entries = [...text.slice(text.indexOf('D:')).matchAll(/\((X?A);[^;]*;[^;]*;[^;]*;[^;]*;([^;)]+)/g)]
  const names = entries.flatMap(([, , who = '']) => {
    // LA is the account that every Windows has, whose number ends in 500.
    const isUser = who === sid || (who === 'LA' && sid?.endsWith('-500'))
    return isUser || trusted.includes(who) ? [] : [groups[who] ?? who]
  })
  return [...new Set(names)]
}
