import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
  /** The most memory that it used. */
  readonly mebibytes: number
}

export interface Command {
  readonly run: (argv: readonly string[], env: Readonly<Record<string, string>>) => Promise<Ended>
  readonly remove: () => Promise<void>
}

/** Runs the command in its own process, to test memory and trusted authorities. Node 20 needs it bundled. */
export async function commandProcess(): Promise<Command> {
  const directory = await mkdtemp(join(tmpdir(), 'payroll-test-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  await build({
    input: fileURLToPath(new URL('command.ts', import.meta.url)),
    platform: 'node',
    external: ['libsql'],
    output: { dir: directory, format: 'esm', entryFileNames: 'command.mjs', chunkFileNames: '[name].mjs' },
  }).catch(async (error: unknown) => {
    await remove()
    throw error
  })
  return {
    async run(argv, env) {
      const child = spawn(process.execPath, [join(directory, 'command.mjs'), ...argv], {
        env: { PATH: process.env.PATH, PAYROLL_CONFIG_DIR: directory, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [[code], out, written] = await Promise.all([
        once(child, 'close') as Promise<[number | null]>,
        text(child.stdout),
        text(child.stderr),
      ])
      const end = written.lastIndexOf('\n')
      return { code, out, err: written.slice(0, end), mebibytes: Number(written.slice(end + 1)) / 1024 }
    },
    remove,
  }
}
