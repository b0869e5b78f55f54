import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../../src/credentials/settings.ts'
import { moveSettings } from '../../src/files/roaming-folder.ts'
import { freshHome } from '../payroll.ts'

const files = {
  'config.json': '{"version":1,"profiles":{},"keys":{}}',
  'imports/made-up.journal': '{"row":1}\n',
  'drafts/d-1.json': '{}',
}

/** The two folders of one account; what payroll stored is in the old one. */
function account(local = freshHome()) {
  const from = join(freshHome(), 'Roaming', 'payroll', 'Config')
  const to = join(local, 'Local', 'payroll', 'Config')
  store(from)
  return { from, to, claimed: `${from}.moving` }
}

function store(folder: string, stored: Readonly<Record<string, string>> = files) {
  for (const [name, text] of Object.entries(stored)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** The files of a folder with their text. */
function stored(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]))
}

describe('the settings of a roaming folder of Windows', () => {
  test('are moved once, with journals and drafts, and it is said', async () => {
    const { from, to, claimed } = account()
    expect(await moveSettings(from, to)).toContain(`moved from ${from} to ${to}`)
    expect(stored(to)).toEqual(files)
    expect(readdirSync(from)).toEqual(['config.json'])
    expect(existsSync(claimed)).toBe(false)
    expect(await moveSettings(from, to)).toBeUndefined()
    expect(stored(to)).toEqual(files)
  })

  test('are copied whole where the two folders are on two disks', async (context) => {
    const here = statSync(freshHome()).dev
    const other = ['/dev/shm', '/var/tmp'].find(
      (path) => statSync(path, { throwIfNoEntry: false })?.dev !== here,
    )
    if (other === undefined || !existsSync(other)) return context.skip('there is no second disk')
    const disk = mkdtempSync(join(other, 'payroll-test-'))
    onTestFinished(() => rmSync(disk, { recursive: true, force: true }))
    const { from, to, claimed } = account(disk)
    await moveSettings(from, to)
    expect(stored(to)).toEqual(files)
    expect([readdirSync(from), existsSync(claimed)]).toEqual([['config.json'], false])
  })

  test('are not made where there were none', async () => {
    const { from, to } = account()
    rmSync(dirname(from), { recursive: true })
    expect(await moveSettings(from, to)).toBeUndefined()
    expect([existsSync(from), existsSync(to)]).toEqual([false, false])
  })

  test('are moved by one of two runs that start at once', async () => {
    const { from, to } = account()
    const said = await Promise.all([moveSettings(from, to), moveSettings(from, to), moveSettings(from, to)])
    expect(said.filter((text) => text !== undefined)).toHaveLength(1)
    expect(stored(to)).toEqual(files)
  })

  test.each<[string, (folders: ReturnType<typeof account>) => void]>([
    ['after the old folder was renamed', ({ from, claimed }) => renameSync(from, claimed)],
    [
      'in the middle of the copy',
      ({ from, to, claimed }) => {
        renameSync(from, claimed)
        store(`${to}.part`, { 'config.json': '{"ver' })
      },
    ],
    [
      'after the copy, before the old folder is removed',
      ({ from, to, claimed }) => {
        cpSync(from, to, { recursive: true })
        renameSync(from, claimed)
      },
    ],
    [
      'before the note is left',
      ({ from, to }) => {
        mkdirSync(dirname(to), { recursive: true })
        renameSync(from, to)
      },
    ],
  ])('are all there at the next run when the move was killed %s', async (_, kill) => {
    const folders = account()
    kill(folders)
    await moveSettings(folders.from, folders.to)
    expect(stored(folders.to)).toEqual(files)
    expect([readdirSync(folders.from), existsSync(folders.claimed)]).toEqual([['config.json'], false])
    // An older payroll is refused them: it would begin new ones.
    const message = expect.stringContaining('written by a newer payroll')
    await expect(readSettings(folders.from)).rejects.toMatchObject({ code: 'usage', message })
  })

  test('stay where they are while another program has one of them open: exit 7, and what to do', async () => {
    const { from, to } = account()
    const move = async () => {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'rename' })
    }
    await expect(moveSettings(from, to, { move })).rejects.toMatchObject({
      code: 'locked',
      details: { retryable: true, hint: expect.stringContaining(`set PAYROLL_CONFIG_DIR to ${from}`) },
    })
    expect([stored(from), existsSync(to)]).toEqual([files, false])
  })

  test('are not mixed with what an older payroll stores there later, which is said', async () => {
    const { from, to } = account()
    await moveSettings(from, to)
    store(from, { 'drafts/d-2.json': '{"old":true}' })
    expect(await moveSettings(from, to)).toContain(`An older payroll has stored something in ${from}`)
    expect(stored(to)).toEqual(files)
    expect(stored(from)).toMatchObject({ 'drafts/d-2.json': '{"old":true}' })
  })

  test('are not taken from an older payroll where this one has settings of its own', async () => {
    const { from, to } = account()
    store(to, { 'config.json': '{"version":1}' })
    expect(await moveSettings(from, to)).toContain('which is not used')
    expect([stored(from), stored(to)]).toEqual([files, { 'config.json': '{"version":1}' }])
  })

  test('are left in both places where the copy does not hold all of them', async () => {
    const { from, to, claimed } = account()
    renameSync(from, claimed)
    store(to, { 'config.json': '{"version":1}' })
    expect(await moveSettings(from, to)).toContain('so it was not removed')
    expect(stored(claimed)).toEqual(files)
  })

  test('are said to be on the computer that they were moved on', async () => {
    const { from, to } = account()
    await moveSettings(from, to, { computer: 'DESK-1' })
    const elsewhere = join(freshHome(), 'Local', 'payroll', 'Config')
    expect(await moveSettings(from, elsewhere, { computer: 'DESK-2' })).toContain('on the computer DESK-1')
    store(elsewhere)
    expect(await moveSettings(from, elsewhere, { computer: 'DESK-2' })).toBeUndefined()
  })
})
