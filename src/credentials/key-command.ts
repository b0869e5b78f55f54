import { spawn } from 'node:child_process'
import { defaults } from '../defaults.ts'
import type { Environment } from '../environment.ts'
import { Failure, usage } from '../errors.ts'
import { commandWords, startable } from '../files/command-words.ts'
import { neededEnvironment } from '../secrets.ts'
import { checkKey } from './key.ts'

/** More than a key can have, and its line break. */
const longest = 4100

/**
 * The key that a command prints, such as `pass show payroll`. It is run without a shell, and what it says besides is not
 * shown: it may hold the key. Throws a usage failure for what is no command or no key, and an `auth` failure where the
 * command does not give one.
 *
 * @param seconds how long it may take
 */
export async function keyFromCommand(
  command: string,
  env: Environment,
  seconds: number = defaults.keyCommandTimeout,
): Promise<string> {
  const [program, ...args] = (await commandWords(command, env, 'The key command')) ?? []
  if (program === undefined || program === '') {
    throw usage(
      'The key command is not one plain command.',
      "It is not run by a shell: payroll profiles set <name> --key-command 'pass show payroll'",
    )
  }
  const { out, problem, isLate } = await run([program, ...args], env, seconds)
  if (problem !== undefined) {
    throw new Failure('auth', `The key command ${program} ${problem}.`, {
      outcome: 'not-sent',
      hint: isLate
        ? 'Run it by itself to see why. To give it longer: payroll profiles set <name> --key-command-timeout <seconds>'
        : 'Run it by itself to see why. It must print the key and nothing else.',
    })
  }
  return checkKey(out, `What the key command ${program} printed`)
}

function run(
  [program, ...args]: readonly [string, ...string[]],
  env: Environment,
  seconds: number,
): Promise<{ readonly out: string; readonly problem?: string; readonly isLate?: boolean }> {
  return new Promise((resolve) => {
    const start = startable(program, args, env)
    if (!start) return resolve({ out: '', problem: 'cannot be started' })
    // Its questions go to the terminal itself, as those of gpg do.
    const child = spawn(start.file, start.args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: neededEnvironment(env, 'get a key'),
      windowsVerbatimArguments: start.windowsVerbatimArguments,
    })
    let out = ''
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      child.stdout.destroy()
      const limit = seconds === 1 ? '1 second' : `${seconds} seconds`
      resolve({ out: '', problem: `did not end within ${limit}`, isLate: true })
    }, seconds * 1000)
    const done = (problem?: string) => {
      clearTimeout(timer)
      resolve(problem === undefined ? { out } : { out: '', problem })
    }
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      if (out.length <= longest) out += part
    })
    child.on('error', () => done('cannot be started'))
    child.on('close', (code, signal) =>
      done(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code}`}`),
    )
  })
}
