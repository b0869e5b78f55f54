import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { freePort, type Postgres, startBeside } from './postgres.ts'

/** Why a pooler cannot be started here; undefined where it can. */
export const withoutPooler =
  spawnSync('pgbouncer', ['--version']).status === 0
    ? undefined
    : 'pgbouncer is not installed (Debian: apt-get install pgbouncer)'

/** The address of a database behind a pooler that lends a connection for one transaction. */
export async function behindPooler(server: Postgres, database: string): Promise<string> {
  const [port, file] = [await freePort(), join(server.folder, 'pooler.ini')]
  writeFileSync(
    file,
    `[databases]\n${database} = host=127.0.0.1 port=${server.port} user=payroll\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nauth_type = any\npool_mode = transaction\nunix_socket_dir =\nlogfile = ${server.folder}/pooler.log\n`,
  )
  const pooler = startBeside('pgbouncer', [file], server.folder)
  onTestFinished(() => void pooler.kill())
  for (let tries = 0; tries < 200 && !(await listens(port)); tries++) await pause(25)
  return `postgres://payroll@127.0.0.1:${port}/${database}`
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
