import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { file, loopback } from '../commands/targets.ts'
import { endedWith, freshHome, payroll } from '../payroll.ts'
import { run as built, shell } from '../process/built.ts'
import { answering, service } from '../service.ts'

const content = Buffer.from('fake payslip').toString('base64')
const get = (out: string) => ['documents', 'get', '7', '--employee', '4f1c', '--out', out]

describe('a document is written whole or not at all', () => {
  test.each([
    ['half of it', 'ZmFrZSBwYXlzbGlw'.slice(0, -1)],
    ['a hole in it', 'ZmFrZSBw*XlzbGlw'],
    ['nothing', null],
  ])('documents get --out writes nothing of %s: exit 10', async (_, damaged) => {
    const { env } = await answering(200, { data: { id: '7', name: 'a.pdf', content: damaged } })
    const folder = freshHome()
    expect((await payroll(get(join(folder, 'a.pdf')), { env })).code).toBe(10)
    expect(readdirSync(folder)).toEqual([])
  })

  test('documents get --out writes nothing of an answer that breaks off', async () => {
    const { env } = await service((_, response) => {
      response.writeHead(200, { 'content-length': 10_000, 'content-type': 'application/json' })
      response.write(`{"data":{"id":"7","content":"${content}`, () => response.socket?.destroy())
    })
    const folder = freshHome()
    expect((await payroll(get(join(folder, 'a.pdf')), { env })).code).toBe(7)
    expect(readdirSync(folder)).toEqual([])
  })

  test('documents get --out leaves nothing of what cannot be written whole', async () => {
    const { env } = await answering(200, { data: { id: '7', content: 'A'.repeat(400_000) } })
    const home = freshHome()
    // 64 blocks of 512 bytes: to this process the disk is full then.
    const line = `trap '' XFSZ; ulimit -f 64; "$PAYROLL" ${get(join(home, 'a.pdf')).join(' ')}`
    expect(await shell(line, { env }).ended).toMatchObject(endedWith(7, 'could not be written (EFBIG)'))
    expect(readdirSync(home)).toEqual([])
  })

  test('--out of a list in lines is whole as well, and for its owner alone', async () => {
    const lines = `${content.slice(0, 8)}\r\n${content.slice(8)}\r\n`
    const { env } = await answering(200, { data: { id: '7', content: lines } })
    const home = freshHome()
    expect((await payroll(get(join(home, 'a.txt')), { home, env })).code).toBe(0)
    expect(readFileSync(join(home, 'a.txt'), 'utf8')).toBe('fake payslip')
    expect(statSync(join(home, 'a.txt')).mode & 0o777).toBe(0o600)
  })
})

describe('nothing but a plain file is put on a profile', () => {
  test.each([
    ['a named pipe', 'pipe'],
    ['a folder', '.'],
    ['a device', '/dev/null'],
    ['a device that has no end', '/dev/zero'],
  ])('%s is refused without being read, and nothing is sent', async (_, place) => {
    const { env, received } = await answering(201, {})
    const home = freshHome()
    if (place === 'pipe') spawnSync('mkfifo', [join(home, place)])
    const upload = ['documents', 'create', '--employee', 'id:1', '--upload', resolve(home, place)]
    // A read of a pipe, or of a device without end, would outlast the test.
    const { code, err } = await payroll(upload, { home, env })
    expect([code, received]).toEqual([2, []])
    expect(err).toContain('is not a plain file. Nothing was sent.')
  })
})

test('a record in the editor is in a folder of its own that its owner alone can open, outside the temporary folder, and gone afterwards', async () => {
  const { env, call } = await loopback()
  await call('POST', '/svc/candidates', { generalSetting: { city: 'Leeds' } })
  const [{ id }] = (await call('GET', '/svc/candidates')).json.data
  const home = freshHome()
  const report = join(freshHome(), 'report')
  const editor = file(
    freshHome(),
    'editor.sh',
    `stat -c '%a' "$1" > ${report}; stat -c '%a' "$(dirname "$1")" >> ${report}; echo "$1" >> ${report}\n`,
  )
  const before = readdirSync(tmpdir())
  for (const EDITOR of [`sh ${editor}`, 'false']) {
    const argv = ['candidates', 'update', id, '--edit']
    const { code } = await built(argv, { env: { ...env, EDITOR, PAYROLL_CONFIG_DIR: home } })
    expect(code).toBe(EDITOR === 'false' ? 2 : 0)
    // What was compiled and what the service shows hold nothing of a record.
    const left = readdirSync(home).filter((name) => !['compiled', 'service-knowledge.jsonl'].includes(name))
    expect(left).toEqual([])
  }
  const [mode, modeOfFolder, path = ''] = readFileSync(report, 'utf8').split('\n')
  expect([mode, modeOfFolder]).toEqual(['600', '700'])
  expect(path.startsWith(`${home}/`)).toBe(true)
  const added = readdirSync(tmpdir()).filter((name) => !before.includes(name) && !name.startsWith('payroll-'))
  expect(added.filter((name) => /edit|conf|payroll/.test(name))).toEqual([])
})

test('nothing is read from the folder that the tool happens to run in: no settings, no .env, no packages, no start-up files', async () => {
  const cwd = freshHome()
  const trace = join(freshHome(), 'trace')
  const spy = `require('node:fs').appendFileSync(${JSON.stringify(trace)}, __filename + '\\n')`
  const settings = JSON.stringify({ default: 'sandbox', profiles: {}, keys: {} })
  const names = '.env .payrollrc payroll.json config.json .npmrc payroll.config.js .editorconfig'.split(' ')
  for (const name of names) writeFileSync(join(cwd, name), settings)
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ payroll: settings, main: './index.js' }))
  for (const name of ['index.js', 'payroll.config.js', '.payrollrc.js', 'main.cjs'])
    writeFileSync(join(cwd, name), spy)
  for (const name of ['conf', 'libsql', 'commander', 'ky', '@inquirer/core', 'env-paths', 'hono', 'zod']) {
    const folder = join(cwd, 'node_modules', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'index.js'), spy)
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, main: 'index.js' }))
  }
  const env = { PAYROLL_CONFIG_DIR: freshHome() }
  expect((await built(['candidates', 'list'], { cwd, env })).code).toBe(2)
  const input = 'CANARYkey0000'
  const login = ['auth', 'login', '--profile', 'development', '--base-url', 'http://127.0.0.1:9']
  expect((await built(login, { cwd, env, input })).code).toBe(0)
  expect((await built(['--profile', 'sandbox', 'candidates', 'list'], { cwd, env })).code).toBe(0)
  expect((await built(['candidates', 'list', '-o', 'table'], { cwd, env })).code).toBe(7)
  expect(readdirSync(join(trace, '..'))).toEqual([])
  expect(readdirSync(cwd).sort()).toEqual(
    [...new Set([...names, 'package.json', 'index.js', '.payrollrc.js', 'main.cjs', 'node_modules'])].sort(),
  )
})
