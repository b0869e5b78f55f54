import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { isSea } from 'node:sea'
import type { Environment } from '../environment.ts'
import { Failure, usage } from '../errors.ts'
import { neededEnvironment } from '../secrets.ts'
import { keyringFile, keyringProgram, keyringWord } from './keyring-program.ts'

const timeoutMs = 3000

/**
 * The keyring of the system. Each call runs in a process of its own, because a bus that does not answer would
 * block this one for ever. Throws an `auth` failure; the key is never stored elsewhere instead.
 */
export function systemKeyring(env: Environment, profile: string, name: string) {
  const ask = (action: string, secret?: string) => call(env, profile, { action, name, secret })
  return {
    read: async () => (await ask('read')) ?? undefined,
    async write(secret: string) {
      await ask('write', secret)
      // A keyring that takes a secret and does not keep it would lose the only copy.
      if ((await ask('read')) !== secret) throw unusable(profile, 'it did not keep what was stored')
    },
    remove: async () => void (await ask('remove')),
  }
}

async function call(env: Environment, profile: string, request: object): Promise<string | null> {
  const text = JSON.stringify({ path: modulePath(), ...request })
  const child = spawn(process.execPath, isSea() ? [keyringWord] : ['-e', keyringProgram], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...neededEnvironment(env), NODE_OPTIONS: '' },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  let answer = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    answer += part
  })
  child.stdin.on('error', () => {})
  child.stdin.end(text)
  await once(child, 'close').catch(() => {})
  if (child.killed) {
    const why = 'it did not answer within 3 seconds: it may be locked, and wait for a password'
    throw unusable(profile, why)
  }
  const { value } = parseAnswer(answer)
  // The words of the keyring are not shown: they may repeat what was stored.
  if (value === undefined)
    throw unusable(profile, 'it is locked, was never set up, or no keyring service can be reached from here')
  return value
}

const unpackAgain =
  'Unpack the archive that the program came in once more, and leave both files in one folder.'

function modulePath(): string {
  if (isSea()) {
    const path = join(dirname(process.execPath), keyringFile)
    if (existsSync(path)) return path
    throw usage(
      `The system keyring needs the file ${keyringFile} beside the program, and there is no ${path}.`,
      unpackAgain,
    )
  }
  try {
    return createRequire(import.meta.url).resolve('@napi-rs/keyring')
  } catch {
    throw usage(
      'The system keyring needs the package @napi-rs/keyring, which is not installed here.',
      'Install payroll again with its optional packages: npm install --global --include=optional <what you installed>',
    )
  }
}

/** Without a value, the keyring or its process failed. */
function parseAnswer(answer: string): { value?: string | null } {
  try {
    return JSON.parse(answer)
  } catch {
    return {}
  }
}

function unusable(profile: string, why: string): Failure {
  return new Failure('auth', `The system keyring cannot be used: ${why}.`, {
    outcome: 'not-sent',
    hint: `Unlock it or start its service. To keep the key in the file instead: payroll profiles set ${profile} --key-store file. Then sign in: payroll auth login --profile ${profile}`,
  })
}
