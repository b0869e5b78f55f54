import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loopback } from '../commands/targets.ts'
import { asTyped, endedWith, freshHome, payroll } from '../payroll.ts'
import { launch, shell, start } from './built.ts'

function pipeIn(home: string): string {
  const path = join(home, 'pipe')
  expect(spawnSync('mkfifo', [path]).status).toBe(0)
  return path
}

async function socketIn(home: string): Promise<string> {
  const path = join(home, 'socket')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => void server.close())
  return path
}

const person = '{"generalSetting":{"agencyRef":"A1","surname":"Example"}}'
const create = '--profile sandbox candidates create --json --incomplete'

describe('an import of what is no file', () => {
  test.each<[string, (home: string) => string | Promise<string>, number, string, string]>([
    ['an endless device', () => '/dev/zero', 3, 'is not a regular file', 'save the data as a file first'],
    ['a socket', socketIn, 3, 'is not a regular file', 'save the data as a file first'],
    ['a pipe that nobody writes into', pipeIn, 2, 'is a pipe', 'Pipe it in instead, with - for the file'],
  ])('ends at once, and says how to hand it in: %s', async (_, place, code, is, hint) => {
    const home = freshHome()
    const path = await place(home)
    const ended = await payroll(['--profile', 'sandbox', 'candidates', 'import', path], { home })
    expect(ended).toMatchObject({ code, out: '' })
    expect(ended.err).toMatch(new RegExp(`^Error: ${path} ${is}.* Nothing was sent\\.\n`))
    expect(ended.err).toContain(hint)
  })
})

describe('--file of a pipe', () => {
  test('takes what another program writes, as <(…) gives it', async () => {
    const line = `"$0" ${create} --file <(sleep 0.3; echo '${person}')`
    expect(await launch('bash', ['-c', line, join(process.cwd(), 'bin/payroll.js')], {}).ended).toMatchObject(
      endedWith(0, 'Created a UK candidate'),
    )
  })

  test('waits for a program that opens the pipe later, and writes in pieces', async () => {
    const home = freshHome()
    const pipe = pipeIn(home)
    const [start, end] = [person.slice(0, 20), person.slice(20)]
    const writer = `(sleep 0.5; printf '%s' '${start}'; sleep 0.1; printf '%s' '${end}') > ${pipe} &`
    expect(await shell(`${writer} "$PAYROLL" ${create} --file ${pipe}`, { home }).ended).toMatchObject(
      endedWith(0, 'Created a UK candidate'),
    )
  })

  test('is not waited for any longer after Ctrl-C', async () => {
    const home = freshHome()
    const line = `"$PAYROLL" ${create} --file ${pipeIn(home)} & sleep 1; kill -INT $!; wait $!`
    expect(await shell(`set -m; ${line}`, { home }).ended).toMatchObject({ code: 130, out: '' })
  })

  test('without an end is given up after 1 MiB: exit 3', async () => {
    const home = freshHome()
    const pipe = pipeIn(home)
    const ended = await shell(`yes > ${pipe} & "$PAYROLL" ${create} --file ${pipe}`, { home }).ended
    expect(ended).toMatchObject({ code: 3, out: '' })
    expect(ended.err).toContain('larger than 1 MiB')
  })
})

test('in a folder that was deleted, --out says so, and a whole path works', async () => {
  const home = freshHome()
  const list = '"$PAYROLL" --profile sandbox vat-codes list --out'
  const go = `mkdir ${home}/gone && cd ${home}/gone && rmdir ../gone`
  const ended = await shell(`${go}; ${list} codes.csv; echo $?; ${list} ${home}/codes.csv; echo $?`, { home })
    .ended
  expect(ended.out).toBe('2\n0\n')
  expect(ended.err).toContain('Error: The folder you are in no longer exists.\n')
})

test('an update under a program that keeps the pipe open ends by itself', async () => {
  const { env, call } = await loopback()
  const generalSetting = { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample' }
  await call('POST', '/svc/candidates', { generalSetting })
  const { child, ended } = start(asTyped`candidates update UK-1 --uk --set city=Hull`, { env, open: true })
  const { code } = await ended
  child.stdin.destroy()
  expect(code).toBe(0)
})
