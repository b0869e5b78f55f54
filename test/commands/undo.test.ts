import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, freshHome, keys, payroll } from '../payroll.ts'
import { loopback, production } from './targets.ts'

const bank = { accountNumber: '31926819', sortCode: '601613' }

/** A sandbox with two people in Leeds, and how they are changed, looked at and changed back. */
async function withPeople() {
  const at = await loopback()
  for (const [reference, forename] of [
    ['UK-1', 'Ann'],
    ['UK-2', 'Ben'],
  ])
    await at.call('POST', '/svc/candidates', {
      generalSetting: { agencyRef: reference, forename, surname: 'Sample', city: 'Leeds' },
      bankSetting: bank,
    })
  const update = async (reference: string, ...words: string[]) => {
    const options = ['--yes', '--json', '--incomplete', ...words]
    expect((await at.run(['candidates', 'update', reference, ...options])).code).toBe(0)
  }
  const entries = async () => (await at.run(['history', '--json'])).json()
  const last = async () => (await entries())[0]
  const person = async (reference: string) =>
    (await at.run(['candidates', 'get', reference, '--json', '--reveal'])).json()
  const cities = async () => Promise.all(['UK-1', 'UK-2'].map(async (each) => (await person(each)).city))
  const undo = (...words: string[]) => at.run(['undo', ...words])
  /** Moves both people with one command, and gives its run. */
  const moveBoth = async (city: string): Promise<string> => {
    const file = join(at.home, 'moves.csv')
    writeFileSync(file, `agencyRef,City\nUK-1,${city}\nUK-2,${city}\n`)
    const words = ['candidates', 'import', file, '--uk', '--update', '--settle', '0']
    expect((await at.run(words)).code).toBe(0)
    return (await last()).run
  }
  return { ...at, update, entries, last, person, cities, undo, moveBoth }
}

describe('payroll undo of one update', () => {
  test('sends the old value of each of its fields back, and no other', async () => {
    const { update, last, undo, person } = await withPeople()
    await update(
      'UK-1',
      '--set',
      'city=York',
      '--set',
      'accountNumber=12345678',
      '--set',
      'mobile=07700900101',
    )
    const { id } = await last()
    await update('UK-1', '--set', 'county=Yorkshire')
    const undone = await undo(id, '--yes', '--json')
    expect([undone.code, undone.json()]).toMatchObject([
      0,
      {
        undone: true,
        undoes: id,
        changes: [
          { path: 'bankSetting.accountNumber', from: '12345678', to: '31926819' },
          { path: 'generalSetting.city', from: 'York', to: 'Leeds' },
          { path: 'generalSetting.mobile', from: '07700900101', to: '' },
        ],
      },
    ])
    const { city, county, mobile, bank: account } = await person('UK-1')
    expect([city, county, account.accountNumber]).toEqual(['Leeds', 'Yorkshire', '31926819'])
    expect(mobile ?? '').toBe('')
  })

  test('can be taken back in the same way, and history says what was undone by what', async () => {
    const { update, last, entries, undo, cities, run } = await withPeople()
    await update('UK-1', '--set', 'city=York')
    const { id: first } = await last()
    await undo(first, '--yes')
    const { id: second } = await last()
    expect((await undo(second, '--yes')).code).toBe(0)
    expect(await cities()).toEqual(['York', 'Leeds'])
    expect(await entries()).toMatchObject([
      { command: 'undo', undoes: second, undoneBy: null },
      { id: second, command: 'undo', undoes: first },
      { id: first, undoes: null, undoneBy: second },
    ])
    expect((await run(['history', '-o', 'table'])).out).toContain(`applied, undone by ${second}`)
  })

  test('masks bank numbers for a person, and shows them with --reveal', async () => {
    const { update, last, undo } = await withPeople()
    await update('UK-1', '--set', 'accountNumber=12345678')
    const { id: first } = await last()
    const masked = await undo(first, '--yes', '-o', 'table')
    expect(masked.out + masked.err).toContain('accountNumber')
    expect(masked.out + masked.err).not.toMatch(/31926819|12345678/)
    const plain = await undo((await last()).id, '--yes', '-o', 'table', '--reveal')
    expect(plain.err).toContain('31926819 → 12345678')
  })

  test('sends nothing with --dry-run, and shows the difference', async () => {
    const { update, last, undo, writes } = await withPeople()
    await update('UK-1', '--set', 'city=York')
    const { id } = await last()
    const sent = writes().length
    const tried = await undo(id, '--dry-run', '--json')
    expect([tried.code, tried.json()]).toMatchObject([
      0,
      { dryRun: true, changes: [{ path: 'generalSetting.city', from: 'York', to: 'Leeds' }] },
    ])
    expect(writes()).toHaveLength(sent)
  })

  test('leaves a record that was changed again as it is, and names the field: exit 6', async () => {
    const { update, last, undo, cities, writes } = await withPeople()
    await update('UK-1', '--set', 'city=York')
    const { id } = await last()
    await update('UK-1', '--set', 'city=Hull')
    const sent = writes().length
    const tried = await undo(id, '--yes')
    expect([tried.code, tried.err]).toEqual([6, expect.stringContaining(`was changed again after ${id}`)])
    expect(tried.err).toContain('generalSetting.city')
    expect(writes()).toHaveLength(sent)
    expect((await cities())[0]).toBe('Hull')
  })

  test('sends nothing where the record has its old value already', async () => {
    const { update, last, undo, writes } = await withPeople()
    await update('UK-1', '--set', 'city=York')
    const { id } = await last()
    await update('UK-1', '--set', 'city=Leeds')
    const sent = writes().length
    const tried = await undo(id, '--yes', '--json')
    expect([tried.code, tried.json().undone, writes().length]).toEqual([0, false, sent])
  })

  test('of the last one asks at a terminal, and sends nothing when the answer is no', async () => {
    const { update, home, env, cities } = await withPeople()
    await update('UK-1', '--set', 'city=York')
    const refused = atTerminal(['undo'], { home, env })
    await refused.type('Send the old value back', `n${keys.enter}`)
    expect((await refused.ended).code).not.toBe(0)
    expect((await cities())[0]).toBe('York')
    const agreed = atTerminal(['undo'], { home, env })
    await agreed.type('Send the old value back', `y${keys.enter}`)
    expect((await agreed.ended).code).toBe(0)
    expect((await cities())[0]).toBe('Leeds')
  })

  test('chooses the person of the other country by itself', async () => {
    const { run, call, undo, last } = await withPeople()
    const general = { agencyRef: 'IE-1', forename: 'Aoife', surname: 'Example', city: 'Cork' }
    await call('POST', '/svc/candidates/ireland', { generalSetting: general })
    const words = ['candidates', 'update', 'IE-1', '--ireland', '--yes', '--incomplete']
    expect((await run([...words, '--set', 'city=Galway'])).code).toBe(0)
    expect((await undo((await last()).id, '--yes')).code).toBe(0)
    const shown = await run(['candidates', 'get', 'IE-1', '--ireland', '--json'])
    expect(shown.json().city).toBe('Cork')
  })
})

test('payroll undo of a timesheet names the field of the rate that it changes', async () => {
  const home = freshHome()
  const run = (...words: string[]) => payroll(['--profile', 'sandbox', ...words], { home })
  await run('sandbox', 'seed')
  const [{ id, rates }] = (await run('timesheets', 'list', '--json')).json()
  expect((await run('timesheets', 'update', id, '--set', 'hours=38', '--yes')).code).toBe(0)
  const [{ id: entry }] = (await run('history', '--json')).json()
  const { code, err } = await run('undo', entry, '--yes')
  expect([code, err]).toEqual([0, expect.stringContaining(`rates[0].units: 38 → ${rates[0].units}`)])
  expect((await run('timesheets', 'get', id, '--json')).json().rates).toEqual(rates)
})

describe('payroll undo is exit 2, and sends nothing,', () => {
  test('without --yes in a script', async () => {
    const { update, last, undo, cities } = await withPeople()
    await update('UK-1', '--set', 'city=York')
    expect(await undo((await last()).id)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
    expect((await cities())[0]).toBe('York')
  })

  test('without saying of what in a script', async () => {
    const { update, undo } = await withPeople()
    await update('UK-1', '--set', 'city=York')
    expect(await undo('--yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining('To see them: payroll history'),
    })
  })

  test('of what was undone already, and names the undo', async () => {
    const { update, last, undo, cities } = await withPeople()
    await update('UK-1', '--set', 'city=York')
    const { id } = await last()
    await undo(id, '--yes')
    const { id: by } = await last()
    expect(await undo(id, '--yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining(`To take that back: payroll undo ${by}`),
    })
    expect((await cities())[0]).toBe('Leeds')
  })

  test.each([
    ['a create', ['candidates', 'create', '--incomplete', '--set', 'agencyRef=N-1'], '', 'created a record'],
    [
      'a write of payroll api',
      ['api', 'POST', '/svc/payment-rate', '--file', '-'],
      '{"code":"X"}',
      'the verb api sent',
    ],
  ])('of %s, and says why', async (_, words, input, says) => {
    const { run, last, undo } = await withPeople()
    expect((await run(words, { input })).code).toBe(0)
    expect(await undo((await last()).id, '--yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining(says),
    })
  })

  test.each([
    ['a write that the history has not', ['aaaa0000', '--yes'], 'has no write aaaa0000'],
    ['a run that the history has not', ['--run', 'aaaa0000', '--yes'], 'has no run aaaa0000'],
    ['a write and a run', ['aaaa0000', '--run', 'bbbb0000', '--yes'], 'Leave one of them out'],
  ])('of %s', async (_, words, says) => {
    const { undo } = await withPeople()
    expect(await undo(...words)).toMatchObject({ code: 2, err: expect.stringContaining(says) })
  })

  test('where the history has the names of the fields alone', async () => {
    const { run, call, home } = await production()
    await call('POST', '/svc/candidates', {
      generalSetting: { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample' },
    })
    await payroll(['profiles', 'set', 'production', '--history', 'names'], { home })
    const at = ['--profile', 'production', '--yes']
    expect(
      (await run(['candidates', 'update', 'UK-1', '--incomplete', '--set', 'city=York', ...at])).code,
    ).toBe(0)
    const [{ id }] = (await run(['history', '--json'])).json()
    expect(await run(['undo', id, ...at])).toMatchObject({
      code: 2,
      err: expect.stringContaining('only the names of its fields'),
    })
  })

  test('of a write that was sent by another profile, and names that profile', async () => {
    const { run, call } = await production()
    await call('POST', '/svc/candidates', {
      generalSetting: { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample' },
    })
    const words = ['candidates', 'update', 'UK-1', '--incomplete', '--set', 'city=York', '--yes']
    expect((await run([...words, '--profile', 'production'])).code).toBe(0)
    const [{ id }] = (await run(['history', '--json'])).json()
    const tried = await run(['undo', id, '--yes', '--profile', 'sandbox'])
    expect(tried.code).toBe(2)
    expect(tried.err).toContain(`payroll undo ${id} --profile production`)
  })
})

describe('payroll undo --run', () => {
  test('sends the old values of every update of one command back, and nothing when it is typed again', async () => {
    const { moveBoth, undo, cities, writes } = await withPeople()
    const moved = await moveBoth('York')
    const first = await undo('--run', moved, '--yes', '--json')
    expect([first.code, first.json()]).toEqual([0, { rows: 2, undone: 2, unchanged: 0, held: 0, unknown: 0 }])
    expect(await cities()).toEqual(['Leeds', 'Leeds'])
    const sent = writes().length
    expect(await undo('--run', moved, '--yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no update left to undo'),
    })
    expect(writes()).toHaveLength(sent)
  })

  test('looks at the records where it is not known whether an update was applied: as after a kill', async () => {
    const { moveBoth, undo, cities, update, home } = await withPeople()
    const moved = await moveBoth('York')
    await update('UK-2', '--set', 'city=Leeds')
    const folder = join(home, 'history')
    const [day = ''] = readdirSync(folder)
    const lines = readFileSync(join(folder, day), 'utf8').split('\n')
    writeFileSync(join(folder, day), lines.filter((line) => !line.includes('"end":')).join('\n'))
    const undone = await undo('--run', moved, '--yes', '--json')
    expect([undone.code, undone.json()]).toEqual([
      0,
      { rows: 2, undone: 1, unchanged: 1, held: 0, unknown: 0 },
    ])
    expect(await cities()).toEqual(['Leeds', 'Leeds'])
  })

  test('leaves who was changed again as they are and names them, and undoes the rest: exit 9', async () => {
    const { moveBoth, update, undo, cities } = await withPeople()
    const moved = await moveBoth('York')
    await update('UK-2', '--set', 'city=Hull')
    const tried = await undo('--run', moved, '--yes', '--json')
    expect([tried.code, tried.json()]).toEqual([9, { rows: 2, undone: 1, unchanged: 0, held: 1, unknown: 0 }])
    expect(tried.err).toContain('UK-2 is left as it is')
    expect(await cities()).toEqual(['Leeds', 'Hull'])
  })

  test('says how many people the command created, who stay as they are', async () => {
    const { run, home, last, undo, cities } = await withPeople()
    const file = join(home, 'both.csv')
    writeFileSync(file, 'agencyRef,Forename,Surname,City\nUK-1,Ann,Sample,York\nNEW-1,Cara,Sample,York\n')
    const words = ['candidates', 'import', file, '--uk', '--update', '--settle', '0']
    expect((await run(words)).code).toBe(0)
    const undone = await undo('--run', (await last()).run, '--yes', '--json')
    expect([undone.code, undone.json()]).toMatchObject([0, { rows: 1, undone: 1 }])
    expect(undone.err).toMatch(/1 record that the run \w+ created or deleted stays as it is/)
    expect((await cities())[0]).toBe('Leeds')
  })

  test('shows each difference with --dry-run, and sends nothing', async () => {
    const { moveBoth, undo, writes } = await withPeople()
    const moved = await moveBoth('York')
    const sent = writes().length
    const { code, json } = await undo('--run', moved, '--dry-run', '--json')
    expect([code, json()]).toMatchObject([0, { dryRun: true, rows: 2, undone: 2 }])
    expect(json().changes).toHaveLength(2)
    expect(writes()).toHaveLength(sent)
  })
})
