import { chmodSync, cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { encodeLine, journalFile } from '../../src/import/write-journal.ts'
import { freshHome, payroll } from '../payroll.ts'

/** What version 0.1.0 stored, after two people were imported into the sandbox, and one was changed. Nobody in it is real. */
const stored = fileURLToPath(new URL('../fixtures/stored-0.1.0', import.meta.url))

/** A home with all of it, for its owner alone as it was: git keeps no such modes. */
function olderHome() {
  const home = freshHome()
  cpSync(stored, home, { recursive: true })
  const file = join(freshHome(), 'people.csv')
  renameSync(join(home, 'people.csv'), file)
  const place = { origin: 'http://sandbox.invalid', base: '', operation: 'candidates.create' }
  renameSync(join(home, 'imports', 'people.journal'), journalFile(home, place, file))
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
  const run = (words: string) => {
    const where = words.startsWith('profiles ') ? [] : ['--profile', 'sandbox']
    return payroll([...words.replace('FILE', file).split(' '), '--json', ...where], { home })
  }
  return { home, file, run }
}

test('what version 0.1.0 stored is read by this one: profiles, drafts, history, accepted findings, and imports with their columns', async () => {
  const { run } = olderHome()
  const read = async (words: string) => {
    const { code, err, json } = await run(words)
    expect([words, code, err]).toEqual([words, 0, expect.not.stringContaining('cannot be read')])
    return json()
  }
  const baseUrl = 'https://payroll.example.com'
  expect(await read('profiles show production')).toMatchObject({ baseUrl })
  expect(await read('candidates drafts list')).toMatchObject([{ id: '0a1b2c3d', name: 'Amélie Sample' }])
  expect(await read('history')).toMatchObject([
    { command: 'candidates update', changes: [{ path: 'generalSetting.city', to: 'Hull' }] },
    { reference: 'STORED-2', outcome: 'applied' },
    { reference: 'STORED-1', outcome: 'applied' },
  ])
  expect(await read('check accepted')).toMatchObject([{ rule: 'no-bank', reference: 'STORED-1' }])
  expect(await read('payslips export --since-last nightly')).toEqual([])
  expect(await read('candidates import FILE --map remembered --dry-run')).toMatchObject({ rows: 2 })
})

const asFormat2 = (text: string) => text.replace(/"(format|version)": ?1/, '"$1":2')
const asFormat4 = (text: string) => text.replace('"format":3', '"format":4')
const journal = (text: string) => {
  const [first = '', ...others] = text.split('\n')
  return [encodeLine({ ...JSON.parse(first.slice(9)), v: 2 }).trimEnd(), ...others].join('\n')
}

describe('what a newer payroll stored is refused, and left as it is:', () => {
  const update = 'Update payroll'
  const finish = 'Finish this import with the payroll that began it'
  const withMember = (member: string) => (text: string) => text.replace('{', `{${member},`)
  const [version2, format2] = [withMember('"version":2'), withMember('"format":2')]
  const importFile = 'candidates import FILE --map remembered'
  test.each<[store: string, path: string, change: (text: string) => string, command: string, hint: string]>([
    ['the settings', 'config.json', version2, 'profiles list', update],
    ['the settings', 'config.json', version2, 'profiles set other --base-url https://other.invalid', update],
    ['accepted findings', 'accepted.json', asFormat2, 'check accepted', update],
    ['accepted findings', 'accepted.json', asFormat2, 'check', update],
    ['a mark', 'marks', asFormat4, 'changes --mark payday', update],
    ['a mark', 'marks', asFormat4, 'changes --since payday', update],
    ['a bookmark', 'bookmarks', asFormat2, 'payslips export --since-last nightly', update],
    ['the history', 'history', format2, 'history', update],
    ['the history', 'history', format2, 'undo 918e6d6e', update],
    ['the journal of an import', 'imports', journal, importFile, finish],
    ['the journal of an import', 'imports', journal, 'candidates import resolve FILE', finish],
    ['remembered columns', 'columns.json', format2, importFile, update],
  ])('$0, by payroll $3', async (_, path, change, command, hint) => {
    const { home, run } = olderHome()
    if (path === 'marks') {
      await run('sandbox seed')
      await run('changes --mark payday')
    }
    if (path === 'columns.json') rmSync(join(home, 'imports'), { recursive: true })
    const store = fileIn(join(home, path))
    writeFileSync(store, change(readFileSync(store, 'utf8')))
    const before = readFileSync(store, 'utf8')
    const { code, out, error } = await run(command)
    expect([code, out, readFileSync(store, 'utf8')]).toEqual([2, '', before])
    const known = change === asFormat4 ? 3 : 1
    expect(error().message).toMatch(
      RegExp(`newer payroll.*format ${known + 1}, and this one knows format ${known}`),
    )
    expect(error().hint ?? '').toContain(hint)
  })

  test('a journal of another file, of which the import says that it cannot be read', async () => {
    const { home, file, run } = olderHome()
    const store = fileIn(join(home, 'imports'))
    writeFileSync(store, journal(readFileSync(store, 'utf8')))
    const copy = join(freshHome(), 'copy.csv')
    cpSync(file, copy)
    const { out } = await run(`candidates import ${copy} --map remembered --dry-run --incomplete`)
    expect(out).toContain('this journal of an earlier import cannot be read')
  })
})

/** The one file below a path. */
function fileIn(path: string): string {
  try {
    const [inside = ''] = readdirSync(path)
    return fileIn(join(path, inside))
  } catch {
    return path
  }
}
