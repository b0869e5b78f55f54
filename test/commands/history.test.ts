import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { forgetHistory, openHistory, readHistory, removedUntil } from '../../src/write/history/history.ts'
import { sealWith } from '../../src/write/history/seal.ts'
import { asTyped, atTerminal, endedWith, freshHome, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'
import { startSandbox } from '../start-sandbox.ts'
import { file, loopback, production } from './targets.ts'

const ann = { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample', city: 'Leeds' }

/** A sandbox with one person, and how to change it. */
async function withAnn() {
  const at = await loopback()
  const bankSetting = { accountNumber: '31926819', sortCode: '601613' }
  await at.call('POST', '/svc/candidates', { generalSetting: ann, bankSetting })
  const update = (...sets: string[]) =>
    at.run(asTyped`candidates update UK-1 --yes --json --incomplete ${sets.flatMap((set) => ['--set', set])}`)
  const listed = async (...words: string[]) => (await at.run(['history', '--json', ...words])).json()
  const importFile = (path: string, ...more: string[]) =>
    at.run(asTyped`candidates import ${path} --uk --settle 0 ${more}`)
  return { ...at, update, listed, importFile, files: () => filesIn(at.home) }
}

function filesIn(home: string): string[] {
  const folder = join(home, 'history')
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

describe('payroll history', () => {
  test('has an update with each field as it was and as it was sent, and is readable only by its owner', async () => {
    const { update, listed, files } = await withAnn()
    expect((await update('city=York', 'accountNumber=12345678')).code).toBe(0)
    const [entry, ...others] = await listed()
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      command: 'candidates update',
      operation: 'candidates.update',
      reference: 'UK-1',
      outcome: 'applied',
      ended: true,
      changes: [
        { path: 'generalSetting.city', from: 'Leeds', to: 'York' },
        { path: 'bankSetting.accountNumber', from: '31926819', to: '12345678' },
      ],
    })
    expect(files().map((file) => statSync(file).mode & 0o777)).toEqual([0o600])
  })

  test('has no sign-in: an exchange of tokens writes no record', async () => {
    const { run, listed, files } = await withAnn()
    const asked = ['auth', 'token', '--refresh', '--client-id', 'payroll-cli']
    expect((await run(asked, { input: 'a-made-up-refresh-token\n' })).code).toBe(6)
    expect(await listed()).toEqual([])
    expect(files()).toEqual([])
  })

  test('masks bank numbers in a table, and --reveal shows them', async () => {
    const { update, run } = await withAnn()
    await update('accountNumber=12345678')
    const masked = await run(['history', '-o', 'table'])
    expect(masked.out).toContain('Account number: ')
    expect(masked.out).not.toMatch(/31926819|12345678/)
    expect((await run(['history', '-o', 'table', '--reveal'])).out).toContain('31926819 → 12345678')
  })

  test('shows on a screen of 80 columns what was done to whom, what became of it, and the ids that undo takes', async () => {
    const { update, home, env, listed, run } = await withAnn()
    await update('city=York', 'taxBasis=W1M1', 'department=Lorries of the north')
    const [{ id, run: command }] = await listed()
    await run(['undo', id, '--yes'])
    const [{ id: by }] = await listed()
    const { out } = await atTerminal(['history'], { home, env, columns: 80 }).ended
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(out).toMatch(/UTC {2}undo by \S+ on environment, run \w+\n/)
    expect(out).toContain(
      `  ${id}  UK-1  Ann Sample  applied, undone by ${by}\n            City or town: Leeds → York;`,
    )
    expect(out).toMatch(new RegExp(`candidates update by \\S+ on environment, run ${command}\n`))
  })

  test('shows on a screen whom an import created, beside those whom it changed', async () => {
    const { importFile, home, env } = await withAnn()
    const rows = 'UK-1,Ann,Fake,York\nNEW-1,Cara,Fake,York\n'
    await importFile(
      file(home, 'two.csv', `agencyRef,Forename,Surname,City\n${rows}`),
      '--update',
      '--settle',
      '0',
    )
    const { out } = await atTerminal(['history'], { home, env, columns: 80 }).ended
    expect(out).toMatch(/ {2}UK-1 {2}Ann \w+ {2}applied\n/)
    expect(out).toMatch(/ {2}NEW-1 {2}Cara Fake {2}create {2}applied\n/)
  })

  test('has creates, deletions, imports and payroll api, the newest first, and no reads', async () => {
    const { run, listed, importFile, home } = await withAnn()
    const people = ['N-1', 'N-2'].map((agencyRef) => JSON.stringify({ generalSetting: { agencyRef } }))
    await run(['candidates', 'create', '--incomplete', '--set', 'agencyRef=N-0'])
    await importFile(file(home, 'two.ndjson', people.join('\n')), '--incomplete')
    await run(['api', 'POST', '/svc/payment-rate', '--file', '-'], { input: '{"code":"X"}' })
    await run(['candidates', 'list'])
    const entries = await listed()
    const create = { operation: 'candidates.create' }
    expect(entries).toMatchObject([{ operation: 'POST /svc/payment-rate' }, create, create, create])
    const [, second, first, alone] = entries
    expect([first.run === second.run, first.run === alone.run]).toEqual([true, false])
    expect([first.reference, second.reference].sort()).toEqual(['N-1', 'N-2'])
    expect(await listed('--run', first.run)).toHaveLength(2)
    expect(await listed('--person', 'n-0')).toEqual([alone])
    expect(await listed('--limit', '1')).toEqual([entries[0]])
  })

  test('says which document was deleted, and of whom, and finds it by the reference of that person', async () => {
    const { run, listed, home, env } = await withAnn()
    await run(['documents', 'create', 'UK-1', file(home, 'p45.txt', 'fake p45'), '--yes'])
    const [{ id }] = (await run(['documents', 'list', 'UK-1'])).json()
    expect((await run(['documents', 'delete', id, '--employee', 'UK-1', '--yes'])).code).toBe(0)
    const [deleted, created, ...others] = await listed('--person', 'uk-1')
    expect(others).toEqual([])
    const about = { record: id, personReference: 'UK-1', outcome: 'applied' }
    expect(deleted).toMatchObject({ ...about, operation: 'documents.delete' })
    expect(created).toMatchObject({ ...about, operation: 'documents.create', reference: 'p45.txt' })
    const { out } = await atTerminal(['history'], { home, env }).ended
    expect(out).toContain(`  ${id} of UK-1  applied\n`)
    expect(out).toContain('  p45.txt of UK-1  applied\n')
    expect(await run(['undo', deleted.id, '--yes'])).toMatchObject(endedWith(2, 'it deleted a record'))
  })

  test('says what a document was called that was deleted by its name, or after a question', async () => {
    const { run, listed, home, env } = await withAnn()
    for (const name of ['p45.txt', 'visa.txt'])
      await run(['documents', 'create', 'UK-1', file(home, name, 'fake'), '--yes'])
    const [, { id }] = (await run(['documents', 'list', 'UK-1', '--sort', 'name'])).json()
    expect(await run(['documents', 'delete', 'p45.txt', '--employee', 'UK-1', '--yes'])).toMatchObject({
      code: 0,
    })
    const terminal = atTerminal(['documents', 'delete', id, '--employee', 'UK-1'], { home, env })
    await terminal.type('Delete visa.txt', 'y\r')
    expect((await terminal.ended).code).toBe(0)
    const deleted = (await listed()).slice(0, 2)
    expect(deleted.map(({ operation, reference }: any) => [operation, reference])).toEqual([
      ['documents.delete', 'visa.txt'],
      ['documents.delete', 'p45.txt'],
    ])
  })

  test('takes a person by name too, and says of another that it has nothing, not that nothing was written', async () => {
    const { run, update, listed } = await withAnn()
    await update('city=York')
    const named = await Promise.all(
      ['Ann Sample', 'reference:uk-1', 'UK-1'].map((name) => listed('--person', name)),
    )
    expect(named.map(({ length }) => length)).toEqual([1, 1, 1])
    const { code, err } = await run(['history', '-o', 'table', '--person', 'Bob Sample'])
    expect([code, err]).toEqual([0, 'The history of this computer has no such write.\n'])
  })

  test('has a refusal, which --failed lists', async () => {
    const { env } = await service(({ url }, response) =>
      url.includes('page=')
        ? answerJson(response, 200, { data: [], totalDocs: 0 })
        : answerJson(response, 422, { message: 'No.' }),
    )
    const home = freshHome()
    const run = (words: string) => payroll(words.split(' '), { home, env })
    expect((await run('candidates create --incomplete --set agencyRef=N-0')).code).toBe(6)
    const failed = (await run('history --failed --json')).json()
    expect(failed).toMatchObject([{ outcome: 'refused', reference: 'N-0' }])
  })

  test('does not have a write that went through among those of --failed', async () => {
    const { update, listed } = await withAnn()
    await update('city=York')
    expect([await listed('--failed'), (await listed()).length]).toEqual([[], 1])
  })

  test('says unknown of a write whose command was killed, and how to check it', async () => {
    const { run, home } = await withAnn()
    mkdirSync(join(home, 'history'), { mode: 0o700 })
    const line = {
      ...{ id: 'aaaa1111', at: Date.UTC(2026, 3, 6), user: 'ann', run: 'r', command: 'candidates update' },
      ...{ profile: 'acme', origin: '', operation: 'candidates.update', reference: 'UK-1' },
    }
    file(home, 'history/2026-04-06.ndjson', `${JSON.stringify(line)}\n{"end":"aa`)
    const shown = await run(['history', '--json'])
    expect(shown.json()).toMatchObject([{ id: 'aaaa1111', outcome: 'unknown', ended: false }])
    // The entry is of another profile than this run.
    expect(shown.err).toContain('To check it: payroll candidates get UK-1 --reference --profile acme\n')
    const named = await run(['history', '--profile', 'sandbox'])
    expect(named.err).toContain('To check it: payroll candidates get UK-1 --reference --profile acme\n')
    const undone = { ...line, id: 'bbbb2222', at: line.at + 1, command: 'undo', undoes: ['aaaa1111'] }
    const lines = [line, undone, { end: 'bbbb2222', outcome: 'applied' }]
    file(home, 'history/2026-04-06.ndjson', lines.map((each) => `${JSON.stringify(each)}\n`).join(''))
    const after = await run(['history', '--json'])
    expect([after.json().length, after.err]).toEqual([2, ''])
  })

  test('learns from an import of one country nothing about the same reference in the other', async () => {
    const { env, call, intercept } = await startSandbox()
    const home = freshHome()
    const people = file(home, 'people.csv', 'agencyRef,forename,surname\nA-1,Ann,Sample\n')
    const run = (country: string) =>
      payroll(asTyped`candidates import ${people} ${country} --yes --incomplete --settle 0`, { home, env })
    intercept(({ method }, response) => {
      if (method === 'POST') response.destroy()
      return method === 'POST'
    })
    expect([(await run('--uk')).code, (await run('--ireland')).code]).toEqual([8, 8])
    intercept(() => false)
    await call('POST', '/svc/candidates', { generalSetting: { ...ann, agencyRef: 'A-1' } })
    await run('--uk')
    const outcomes = (await payroll(['history', '--json'], { home, env }))
      .json()
      .map(({ operation, outcome }: any) => `${operation} ${outcome}`)
    expect([...new Set(outcomes)].sort()).toEqual([
      'candidates.create applied',
      'candidates.createIreland unknown',
    ])
  })

  test('goes on after a line that was cut off', async () => {
    const { update, listed, files } = await withAnn()
    await update('city=York')
    appendFileSync(files()[0] ?? '', '{"id":"torn')
    await update('city=Hull')
    expect((await listed()).map(({ changes }: any) => changes[0].to)).toEqual(['Hull', 'York'])
  })

  test('keeps the names of the fields alone with --history names, and nothing with off, at once', async () => {
    const { run, call, home } = await production()
    await call('POST', '/svc/candidates', { generalSetting: ann })
    const update = (city: string) =>
      run(asTyped`candidates update UK-1 --yes --incomplete --set city=${city} --profile production`)
    const keep = async (what: string) =>
      (await run(['profiles', 'set', 'production', '--history', what])).code
    await keep('names')
    expect((await update('Secretville')).code).toBe(0)
    const changes = [{ path: 'generalSetting.city', from: null, to: null }]
    expect((await run(['history', '--json'])).json()).toMatchObject([{ namesOnly: true, changes }])
    expect(
      filesIn(home)
        .map((path) => readFileSync(path, 'utf8'))
        .join(),
    ).not.toContain('Secretville')
    await keep('off')
    await update('York')
    expect((await run(['history', '--json'])).json()).toHaveLength(1)
    expect(await keep('never')).toBe(2)
  })

  test('that cannot be written is said once, and the write is sent', async () => {
    const { update, home, writes } = await withAnn()
    await update('city=York')
    // A file in the place of the folder: nobody can write into that.
    rmSync(join(home, 'history'), { recursive: true })
    file(home, 'history', '')
    const run = await update('city=Hull')
    expect([run.code, writes().length]).toEqual([0, 2])
    expect(run.err.match(/not noted in the history/g)).toHaveLength(1)
  })
})

describe('payroll history forget', () => {
  test('removes the days before one with --before, and everything with --all', async () => {
    const { run, update, listed, home, files } = await withAnn()
    await update('city=York')
    const old = file(home, 'history/2026-01-01.ndjson', '{"id":"a","at":1}\n')
    // As a day is written in the UK and Ireland.
    expect((await run(['history', 'forget', '--before', '1/2/2026', '--yes'])).code).toBe(0)
    expect([existsSync(old), (await listed()).length]).toEqual([false, 1])
    expect((await run(['history', 'forget', '--all', '--yes'])).code).toBe(0)
    expect([files(), await listed()]).toEqual([[], []])
  })

  test.each([
    ['--yes', 'Say what to forget: --all, or --before with a day. Nothing was removed.'],
    ['--all --before 2026-02-01 --yes', 'Say what to forget'],
    ['--before May --yes', '--before May: expected a date that exists'],
    ['--before 31/02/2026 --yes', 'the month has no such day'],
    ['--all', 'This needs your confirmation. Nothing was removed.\nTo remove the whole history'],
  ])('is exit 2 with %s, and removes nothing', async (words, says) => {
    const { run, update, listed } = await withAnn()
    await update('city=York')
    expect(await run(['history', 'forget', ...words.split(' ')])).toMatchObject(endedWith(2, says))
    expect(await listed()).toHaveLength(1)
  })

  test('removes nothing where a person says no, and calls that no error: exit 2', async () => {
    const { update, listed, home } = await withAnn()
    await update('city=York')
    const terminal = atTerminal(['history', 'forget', '--all'], { home })
    await terminal.type('Remove the whole history', 'n\r')
    const { code, err } = await terminal.ended
    expect([code, err, (await listed()).length]).toEqual([
      2,
      expect.stringContaining('Stopped. Nothing was removed.\n'),
      1,
    ])
    expect(err).not.toMatch(/Error|--help/)
  })
})

describe('the files of the history', () => {
  const newYear = Date.UTC(2026, 0, 1)

  /** A history of 90 days, and a write of a run that is noted in it. */
  function keeping(home: string) {
    const history = openHistory(home, 90)
    const write = { user: 'ann', command: 'c', profile: 'p', origin: 'o', operation: 'x' }
    return async (run: string, at: number) =>
      (await history.begin({ ...write, run }, at, sealWith('a made-up secret'))).end('applied')
  }

  test('keep what is younger than the days that they are kept, and remove the rest at the next write', async () => {
    const home = freshHome()
    const day = 24 * 60 * 60 * 1000
    for (const days of [0, 89, 91]) await keeping(home)('r', newYear + days * day)
    const left: number[] = []
    for await (const { at } of readHistory(home)) left.push((at - newYear) / day)
    expect(left).toEqual([91, 89])
    // A clock that was wrong removes what is not old: nobody is told then that it was not from this computer.
    expect(await removedUntil(home)).toBe(newYear + day)
  })

  test('have what is written after another process has forgotten them', async () => {
    const home = freshHome()
    const note = keeping(home)
    await note('before', newYear)
    await forgetHistory(home)
    await note('after', newYear)
    const runs: string[] = []
    for await (const { run } of readHistory(home)) runs.push(run)
    expect(runs).toEqual(['after'])
  })

  test('lose no line of two writers that note 300 writes each at once', async () => {
    const home = freshHome()
    const noteMany = (run: string) => {
      const note = keeping(home)
      return Array.from({ length: 300 }, () => note(run, newYear))
    }
    await Promise.all([...noteMany('a'), ...noteMany('b')])
    const counts: Record<string, number> = {}
    for await (const { run, outcome } of readHistory(home))
      if (outcome === 'applied') counts[run] = (counts[run] ?? 0) + 1
    expect(counts).toEqual({ a: 300, b: 300 })
  })
})
