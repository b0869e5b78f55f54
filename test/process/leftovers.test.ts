import { existsSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { loopback } from '../commands/targets.ts'
import { freshHome, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'
import { run, start } from './built.ts'

const parts = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.part'))
const edits = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('edit-'))

const ageByADay = (path: string) => utimesSync(path, new Date(0), new Date(0))

/** A list that is being written into a file, and never ends. */
async function endlessList(folder: string, name: string) {
  const { env } = await service((request, response) => {
    const page = Number(/[?&]page=(\d+)/.exec(request.url)?.[1])
    const data = Array.from({ length: 100 }, (_, at) => ({ id: `${page}-${at}` }))
    if (page < 3) answerJson(response, 200, { data, totalDocs: 300 })
  })
  const argv = ['candidates', 'list', '-o', 'ndjson', '--quiet', '--out', join(folder, name)]
  const before = parts(folder).length
  const { child, ended } = start(argv, { env })
  while (parts(folder).length === before) await pause(5)
  return { child, ended }
}

describe('what a killed run left', () => {
  test('of a record in the editor is removed a day later', async () => {
    const { env, call } = await loopback()
    await call('POST', '/svc/candidates', { generalSetting: { city: 'Leeds' } })
    const [{ id }] = (await call('GET', '/svc/candidates')).json.data
    const home = freshHome()
    writeFileSync(join(home, 'editor.sh'), 'kill -9 $PPID\n')
    const edited = { ...env, PAYROLL_CONFIG_DIR: home, EDITOR: `sh ${home}/editor.sh` }
    const killed = await run(['candidates', 'update', id, '--edit'], { home, env: edited })
    expect(killed.signal).toBe('SIGKILL')
    const [left] = edits(home)
    expect(left).toBeDefined()

    const list = () => payroll(['profiles', 'list'], { home })
    expect((await list()).code).toBe(0)
    expect(edits(home)).toEqual([left])
    ageByADay(join(home, left as string))
    expect((await list()).code).toBe(0)
    expect(edits(home)).toEqual([])
  })

  test('of a file of --out is removed a day later; what another run works on stays', async () => {
    const folder = freshHome()
    const killed = await endlessList(folder, 'killed.ndjson')
    const [left = ''] = parts(folder)
    const running = await endlessList(folder, 'running.ndjson')
    killed.child.kill('SIGKILL')
    await killed.ended
    ageByADay(join(folder, left))

    const other = join(folder, 'other.json')
    const argv = ['--profile', 'sandbox', 'candidates', 'list', '--out', other]
    expect((await payroll(argv)).code).toBe(0)
    expect(existsSync(other)).toBe(true)
    expect(parts(folder)).toHaveLength(1)
    expect(parts(folder)).not.toContain(left)
    running.child.kill()
    await running.ended
    expect(parts(folder)).toEqual([])
  })

  test('is left where it is a link, or has a name of somebody else', async () => {
    const folder = freshHome()
    const names = ['.payroll-mine.part', 'edit-the-list.json', 'other.part']
    for (const name of names) {
      writeFileSync(join(folder, name), 'x')
      ageByADay(join(folder, name))
    }
    symlinkSync('/', join(folder, '.payroll-00000000-0000-4000-8000-000000000000.part'))
    const argv = ['--profile', 'sandbox', 'candidates', 'list', '--out', join(folder, 'list.json')]
    expect((await payroll(argv)).code).toBe(0)
    expect(readdirSync(folder)).toHaveLength(names.length + 2)
  })
})
