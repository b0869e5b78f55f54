import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { afterAll, beforeAll } from 'vitest'

/** A new directory of the test's own, by its real path. */
export async function temporaryDirectory(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'payroll-test-')))
}

/** Node 20 runs no TypeScript: the program of the tests as one file that it does run. Returns its path. */
export async function bundleProgram(directory: string): Promise<string> {
  const input = fileURLToPath(new URL('program.ts', import.meta.url))
  await build({
    input,
    platform: 'node',
    output: { dir: directory, format: 'esm', entryFileNames: 'program.mjs', chunkFileNames: '[name].mjs' },
  })
  return join(directory, 'program.mjs')
}

/** Bundles the program of the tests before those of a file, and removes it after them. Gives its path. */
export function useProgram(): () => string {
  let directory: string
  let program: string
  beforeAll(async () => {
    directory = await temporaryDirectory()
    program = await bundleProgram(directory)
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))
  return () => program
}

/** A lock that nobody else on this computer can hold. */
export const newLockName = () => `the test ${randomUUID()}`

export interface Ended {
  readonly code: number | null
  readonly stderr: string
}

/** Runs it to its end through a shell that prepares the ground first: `umask 000`. */
export async function runAfter(preparation: string, program: string, ...argv: string[]): Promise<Ended> {
  const child = spawn('bash', ['-c', `${preparation}; exec "$@"`, 'bash', process.execPath, program, ...argv])
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  child.stdout.resume()
  const [code] = await once(child, 'close')
  return { code, stderr }
}

/** Starts it and waits for its first word. */
export async function startProgram(
  program: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv = {},
  as: { readonly uid?: number } = {},
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, ...argv], {
    ...as,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.stdout.resume()
  return child
}

export async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
