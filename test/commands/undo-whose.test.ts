import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withLock } from '../../src/files/local/lock.ts'
import { asTyped, atTerminal, endedWith, freshHome, keys, payroll } from '../payroll.ts'
import { answerJson } from '../service.ts'
import { startSandbox } from '../start-sandbox.ts'
import { production } from './targets.ts'

type Fields = Readonly<Record<string, unknown>>

const bank = { accountName: 'A Sample', accountNumber: '22222222', sortCode: '601613' }
const body = (general: Fields, bankSetting: Fields = bank) => ({
  generalSetting: { agencyRef: 'A-1', forename: 'Ann', surname: 'Sample', city: 'Leeds', ...general },
  bankSetting,
  payrollSetting: { taxCode: '1257L', taxBasis: 'CUMULATIVE', niCategory: 'A', paymentModel: 'PAYEE' },
})
const ann = { DOB: '1990-01-02', NINumber: 'QQ123456A' }

/** A sandbox with Ann, and how this computer changes her record, others do, and the file of the history. */
async function withAnn(general: Fields = ann) {
  const sandbox = await startSandbox()
  const { env, call, received } = sandbox
  const home = freshHome()
  await call('POST', '/svc/candidates', body(general))
  const run = (...words: readonly string[]) => payroll([...words], { home, env })
  const record = async () =>
    ((await (await call('GET', '/svc/candidates?size=100')).json()) as any).data.find(
      (each: any) => each.id === id,
    )
  const [{ id }] = ((await (await call('GET', '/svc/candidates')).json()) as any).data
  const day = () => join(home, 'history', readdirSync(join(home, 'history')).sort().at(-1) ?? '')
  return {
    ...sandbox,
    home,
    id: id as string,
    run,
    record,
    entries: async () => (await run('history', '--json')).json(),
    /** Changes Ann from this computer, and gives the entry. */
    async update(...sets: readonly string[]): Promise<string> {
      const words = sets.flatMap((set) => ['--set', set])
      const { code, err } = await run(
        'candidates',
        'update',
        id,
        '--id',
        '--yes',
        '--json',
        '--incomplete',
        ...words,
      )
      expect([code, code === 0 ? '' : err]).toEqual([0, ''])
      return (await run('history', '--json')).json()[0].id
    },
    /** Changes people by an import, and gives its exit code and the id of its run. */
    async move(...lines: readonly string[]) {
      const csv = join(home, 'moves.csv')
      writeFileSync(csv, `${lines.join('\n')}\n`)
      const { code } = await run(
        ...['candidates', 'import', csv, '--uk', '--update', '--settle', '0', '--yes', '--incomplete'],
      )
      return { code, run: (await run('history', '--json')).json()[0].run as string }
    },
    /** Somebody else, whom a run may change too. */
    addBen: () => call('POST', '/svc/candidates', body({ agencyRef: 'A-2', forename: 'Ben' })),
    /** Writes the record past this computer. */
    others: (general: Fields, bankSetting: Fields = bank) =>
      call('PUT', `/svc/candidates/${id}`, body(general, bankSetting)),
    undo: (...words: readonly string[]) => run('undo', ...words, '--json'),
    puts: () => received.filter(({ method }) => method === 'PUT').length,
    lines: () => readFileSync(day(), 'utf8').trimEnd().split('\n'),
    write: (lines: readonly string[]) => writeFileSync(day(), `${lines.join('\n')}\n`),
  }
}

describe('payroll undo sends nothing to a record that is now somebody else’s:', () => {
  test.each<[string, Fields, string]>([
    ['with another reference', { agencyRef: 'B-2', forename: 'Bob', DOB: '1970-05-06' }, 'reference'],
    ['with another birthday under the same reference', { ...ann, DOB: '1970-05-06' }, 'Date of birth'],
    ['with another number', { ...ann, NINumber: 'QQ999999A' }, 'National Insurance number'],
    ['without a reference', { agencyRef: '', forename: 'Bob' }, 'reference'],
  ])('%s', async (_, now, label) => {
    const at = await withAnn()
    const id = await at.update('accountNumber=99999999')
    await at.others(now, { ...bank, accountNumber: '99999999' })
    const sent = at.puts()
    const { code, err } = await at.undo(id, '--yes')
    expect([code, err]).toEqual([6, expect.stringContaining('is not the record that was changed')])
    expect(err).toContain(label)
    expect([(await at.record()).bank.accountNumber, at.puts()]).toEqual(['99999999', sent])
  })

  test('and says which record of a run that is, exit 9', async () => {
    const at = await withAnn()
    await at.update('city=York')
    const [{ run }] = await at.entries()
    await at.others({ agencyRef: 'B-2', forename: 'Bob', city: 'York' })
    const undone = await at.undo('--run', run, '--yes')
    expect([undone.code, undone.json()]).toMatchObject([9, { rows: 1, undone: 0, held: 1 }])
    expect(undone.err).toContain('is not the record that was changed')
  })

  test('whose reference this computer changed since then', async () => {
    const at = await withAnn()
    const id = await at.update('city=York')
    await at.others({ ...ann, agencyRef: 'B-2', city: 'York' })
    await at.update('agencyRef=B-3')
    const sent = at.puts()
    const { code, err } = await at.undo(id, '--yes')
    expect([code, at.puts(), err]).toEqual([6, sent, expect.stringContaining('its reference is not that of')])
  })

  test('but to one whose reference, birthday or number this computer changed since, or in the entry itself', async () => {
    const at = await withAnn()
    const city = await at.update('city=York')
    const itself = await at.update('agencyRef=A-9', 'DOB=1990-01-03')
    await at.update('NINumber=QQ123457A')
    expect((await at.undo(city, '--yes')).code).toBe(0)
    expect((await at.undo(itself, '--yes')).code).toBe(0)
    expect(await at.record()).toMatchObject({ agencyRef: 'A-1', city: 'Leeds', DOB: '1990-01-02' })
  })
})

test('payroll undo knows the record of an update of its reference that was not applied', async () => {
  const at = await withAnn()
  at.intercept(({ method }, response) => {
    if (method === 'PUT') response.destroy()
    return method === 'PUT'
  })
  const words = ['candidates', 'update', 'A-1', '--yes', '--incomplete', '--set', 'agencyRef=A-9']
  expect((await at.run(...words)).code).toBe(8)
  at.intercept(() => false)
  const [{ id }] = await at.entries()
  const undone = await at.undo(id, '--yes')
  expect([undone.code, undone.json()]).toMatchObject([0, { undone: 0, unchanged: 1 }])
})

describe('the seal of the history', () => {
  test.each<[string, (line: string) => string]>([
    ['an old value', (line) => line.replace('"from":"22222222"', '"from":"66666222"')],
    ['the id of the record', (line) => line.replace(/"record":"[^"]+"/, '"record":"p2"')],
    ['the reference', (line) => line.replace('"reference":"A-1"', '"reference":"B-2"')],
  ])(
    'is exit 10 where a line was changed after it was written, and names the entry: %s',
    async (_, forge) => {
      const at = await withAnn()
      const id = await at.update('accountNumber=99999999')
      at.write(at.lines().map(forge))
      const sent = at.puts()
      const [{ run }] = await at.entries()
      for (const words of [[id], [id, '--dry-run'], ['--last'], ['--run', run]]) {
        expect(await at.undo(...words, '--yes')).toMatchObject(endedWith(10, `the seal of ${id}`))
      }
      expect(at.puts()).toBe(sent)
    },
  )

  test('holds though a line behind it names another record', async () => {
    const at = await withAnn()
    const id = await at.update('city=York')
    at.write([...at.lines(), JSON.stringify({ end: id, outcome: 'applied', record: 'p2' })])
    expect((await at.undo(id, '--yes')).code).toBe(0)
    expect((await at.record()).city).toBe('Leeds')
  })

  /** The lines as version 0.1 wrote them: without a seal, a name and marks. */
  const asBefore = (lines: readonly string[]) =>
    lines.map((line) => {
      const { seal: _, name: __, whose: ___, ...rest } = JSON.parse(line)
      return JSON.stringify(rest)
    })

  const ofAnother = /((?:DOB|NINumber)":)"[\w-]+"/g
  test.each<[string, (lines: readonly string[]) => string[], string | null]>([
    ['is missing in lines that were written without a key', asBefore, null],
    [
      // Nor do its marks tell whose the record is: another key gives others.
      'of another key cannot be checked',
      (lines) =>
        lines.map((line) =>
          line.replace(/"seal":"[\w-]{6}/, '"seal":"AAAAAA').replace(ofAnother, '$1"AAAA"'),
        ),
      'Ann Sample',
    ],
  ])('%s: they are listed, and a script says --unsealed to undo them', async (_, change, name) => {
    const at = await withAnn()
    const id = await at.update('city=York')
    at.write(change(at.lines()))
    expect(await at.entries()).toMatchObject([{ id, name, outcome: 'applied' }])
    expect(await at.undo(id, '--yes')).toMatchObject(endedWith(2, '--unsealed'))
    expect((await at.undo(id, '--dry-run')).json()).toMatchObject({ undone: 1 })
    expect(await at.undo(id, '--yes', '--unsealed')).toMatchObject({ code: 0 })
    expect((await at.record()).city).toBe('Leeds')
  })

  test('is missing: a person is shown the values whole and asked about them, with No under Enter', async () => {
    const at = await withAnn()
    const id = await at.update('accountNumber=99999999')
    at.write(asBefore(at.lines()))
    for (const [key, account] of [
      ['', '99999999'],
      ['y', '22222222'],
    ] as const) {
      const screen = atTerminal(['undo', id], { home: at.home, env: at.env })
      await screen.type('Are these the values that were there before?', `${key}${keys.enter}`)
      if (key) await screen.type('Send the old values of 1 record back', `y${keys.enter}`)
      await screen.ended
      expect(screen.screen()).toContain('99999999 → 22222222')
      expect((await at.record()).bank.accountNumber).toBe(account)
    }
  })

  test('is checked where the settings can be read, and not changed', async () => {
    const { home, run, call } = await production()
    await call('POST', '/svc/candidates', body(ann))
    const words = asTyped`--profile production --yes`
    await run([...asTyped`candidates update A-1 --set city=York --incomplete`, ...words])
    await withLock(`the settings in ${join(realpathSync(home), 'config.json')}`, async () => {
      expect(await run(['undo', '--last', ...words])).toMatchObject({ code: 0 })
    })
  })
})

test('payroll undo shows bank details whole at a terminal and with --reveal, and masks them in the output of a script', async () => {
  const at = await withAnn()
  const id = await at.update('accountNumber=99999999')
  const dry = (...words: string[]) => at.run('undo', id, '--dry-run', '-o', 'table', ...words)
  expect((await dry()).out).not.toMatch(/22222222|99999999/)
  expect((await dry('--reveal')).out).toContain('99999999 → 22222222')
  const screen = atTerminal(['undo', id], { home: at.home, env: at.env })
  await screen.type('Send the old values of 1 record back', `n${keys.enter}`)
  await screen.ended
  expect(screen.screen()).toContain('99999999 → 22222222')
})

describe('payroll undo typed again', () => {
  test('goes one further back each time, and never takes its own back: --last does it in a script', async () => {
    const at = await withAnn()
    await at.update('city=York')
    await at.update('city=Hull')
    const last = async () => [(await at.undo('--last', '--yes')).code, (await at.record()).city]
    expect([await last(), await last(), await last()]).toEqual([
      [0, 'York'],
      [0, 'Leeds'],
      [2, 'Leeds'],
    ])
  })

  test('takes no older write back by --last where somebody else put the last one right', async () => {
    const at = await withAnn()
    await at.update('city=York')
    await at.update('city=Hull')
    await at.others({ ...ann, city: 'York' })
    const [before, tried] = [at.puts(), await at.undo('--last', '--yes')]
    expect([tried.code, tried.json(), at.puts()]).toMatchObject([0, { undone: 0, unchanged: 1 }, before])
  })

  test('takes nothing of somebody else back by --last after an update that did not arrive', async () => {
    const at = await withAnn()
    await at.addBen()
    await at.update('city=York')
    at.intercept(({ method }, response) => {
      if (method === 'PUT') response.destroy()
      return method === 'PUT'
    })
    const words = ['candidates', 'update', 'A-2', '--yes', '--incomplete', '--set', 'city=Hull']
    expect((await at.run(...words)).code).toBe(8)
    at.intercept(() => false)
    const [{ id }] = await at.entries()
    const says = `has its old values of ${id} already, so nothing is sent back.`
    const [sent, undone] = [at.puts(), await at.undo('--last', '--yes')]
    expect([undone.code, undone.json(), undone.err]).toMatchObject([
      0,
      { rows: 1, undone: 0, unchanged: 1 },
      expect.stringContaining(
        `${says} To see what was written, each with the id that undo takes: payroll history`,
      ),
    ])
    expect([(await at.record()).city, at.puts()]).toEqual(['York', sent])
  })
})

test('payroll undo --run takes several updates of one record by one command for one', async () => {
  const at = await withAnn()
  let puts = 0
  at.intercept(({ method }, response) => {
    const isFirst = method === 'PUT' && ++puts === 1
    if (isFirst) response.destroy()
    return isFirst
  })
  expect((await at.move('agencyRef,City', 'A-1,York')).code).toBe(0)
  at.intercept(() => false)
  const entries = await at.entries()
  expect(entries.map(({ outcome }: any) => outcome).sort()).toEqual(['applied', 'unknown'])
  const undone = await at.undo('--run', entries[0].run, '--yes')
  expect([undone.code, undone.json()]).toMatchObject([
    0,
    { rows: 1, undone: 1, held: 0, records: [{ undoes: entries.map(({ id }: any) => id) }] },
  ])
  const [newest, older] = entries
  expect((await at.entries())[0]).toMatchObject({ undoes: newest.id, undoesToo: [older.id] })
  expect((await at.record()).city).toBe('Leeds')
  expect((await at.undo('--run', entries[0].run, '--yes')).err).toContain('is left to undo')
})

test('payroll undo of two updates of one run, of which the newer was not applied, gives back what was there before both', async () => {
  const at = await withAnn()
  await at.update('city=York')
  const [begun = '', end = ''] = at.lines()
  const { seal: _, ...first } = JSON.parse(begun)
  const changes = [{ path: 'generalSetting.city', from: 'York', to: 'Hull' }]
  at.write([JSON.stringify(first), end, JSON.stringify({ ...first, id: 'bbbb0000', changes })])
  const undone = await at.undo('--run', first.run, '--yes', '--unsealed')
  expect([undone.code, undone.json()]).toMatchObject([0, { rows: 1, undone: 1 }])
  expect((await at.record()).city).toBe('Leeds')
})

test('payroll undo sends no mask that was there before the real number, exit 10', async () => {
  const at = await withAnn()
  const masked = (record: any) =>
    record.bank?.accountNumber === bank.accountNumber
      ? { ...record, bank: { ...record.bank, accountNumber: '******22' } }
      : record
  at.intercept(async ({ method, url }, response, carryOut) => {
    if (method !== 'GET' || !url.includes(at.id)) return false
    const { data, ...rest } = (await (await carryOut()).json()) as any
    answerJson(response, 200, { data: { ...data, candidate: masked(data.candidate) }, ...rest })
    return true
  })
  const id = await at.update('accountNumber=55779911')
  const sent = at.puts()
  const { code, err } = await at.undo(id, '--yes')
  expect([code, at.puts() - sent, err]).toEqual([
    10,
    0,
    expect.stringContaining('in bankSetting.accountNumber'),
  ])
  expect(err).toContain(
    `give the real ones: payroll candidates update ${at.id} --set bankSetting.accountNumber=…`,
  )
})

test('payroll undo sends nothing where no answer returns what was changed: whether it is still so is unknown, exit 10', async () => {
  const { env, call, received } = await startSandbox()
  const home = freshHome()
  const generalSetting = {
    agencyRef: 'IE-1',
    forename: 'Aoife',
    surname: 'Example',
    city: 'Cork',
    pensionSetting: {},
  }
  await call('POST', '/svc/candidates/ireland', { generalSetting, bankSetting: {}, payrollSetting: {} })
  const run = (...words: readonly string[]) => payroll([...words], { home, env })
  const scheme = 'generalSetting.pensionSetting.scheme'
  const words = [
    'candidates',
    'update',
    'IE-1',
    '--ireland',
    '--set',
    `${scheme}=Example`,
    '--incomplete',
    '--yes',
  ]
  expect((await run(...words)).code).toBe(0)
  const undone = await run('undo', '--last', '--yes', '--json')
  expect([undone.code, undone.error()]).toMatchObject([10, { issues: [{ path: scheme }] }])
  expect(received.filter(({ method }) => method === 'PUT')).toHaveLength(1)
})

test('payroll undo sends only the fields that do not have their old value yet', async () => {
  const at = await withAnn()
  const id = await at.update('city=York', 'county=Yorkshire')
  await at.others({ ...ann, city: 'York', county: null })
  const undone = await at.undo(id, '--yes')
  expect(undone.json().records[0].changes).toEqual([
    { path: 'generalSetting.city', from: 'York', to: 'Leeds' },
  ])
  const [entry] = await at.entries()
  expect(entry.changes.map(({ path }: any) => path)).toEqual(['generalSetting.city'])
})

test('payroll undo --run stops at a key that is refused, and counts no record as held', async () => {
  const at = await withAnn()
  await at.addBen()
  const { run } = await at.move('agencyRef,City', 'A-1,York', 'A-2,York')
  let asked = 0
  at.intercept((_, response) => {
    asked += 1
    answerJson(response, 401, {})
    return true
  })
  const undone = await at.undo('--run', run, '--yes')
  expect([undone.code, undone.out, asked]).toEqual([4, '', 1])
})

test('payroll undo --run takes back what a run changed, though the service refused another row of it', async () => {
  const at = await withAnn()
  await at.addBen()
  at.intercept(({ method, url }, response) => {
    if (method !== 'PUT' || url.includes(at.id)) return false
    answerJson(response, 422, { message: 'No such city' })
    return true
  })
  const { run } = await at.move('agencyRef,City', 'A-1,York', 'A-2,York')
  const undone = await at.undo('--run', run, '--yes')
  expect([undone.code, undone.json()]).toMatchObject([0, { rows: 1, undone: 1 }])
  expect((await at.record()).city).toBe('Leeds')
})

test('payroll undo --run says how many were undone before a key was refused', async () => {
  const at = await withAnn()
  await at.addBen()
  const { run } = await at.move('agencyRef,City', 'A-1,York', 'A-2,York')
  let puts = 0
  at.intercept(({ method }, response) => {
    if (method !== 'PUT' || ++puts === 1) return false
    answerJson(response, 401, {})
    return true
  })
  expect((await at.undo('--run', run, '--yes')).error()).toMatchObject({
    ...{ code: 'auth', exitCode: 4 },
    message: expect.stringContaining('1 of 2 records were undone: the same command again sends the others.'),
  })
})

test('payroll undo refuses a write to a profile of the same name at another address: exit 2', async () => {
  const at = await withAnn()
  const home = freshHome()
  const env = { PAYROLL_API_KEY: at.env.PAYROLL_API_KEY }
  const run = (...words: readonly string[]) => payroll([...words], { home, env })
  await run('profiles', 'set', 'acme', '--base-url', at.baseUrl)
  const words = [
    'candidates',
    'update',
    'A-1',
    '--set',
    'city=York',
    '--incomplete',
    '--yes',
    '--profile',
    'acme',
  ]
  expect((await run(...words)).code).toBe(0)
  const [{ id }] = (await run('history', '--json')).json()
  await run('profiles', 'set', 'acme', '--base-url', 'http://127.0.0.1:9')
  const undone = await run('undo', id, '--yes', '--profile', 'acme')
  expect(undone).toMatchObject(endedWith(2, `was sent to acme (${at.baseUrl})`))
  const last = await run('undo', '--last', '--yes', '--profile', 'acme')
  expect(last).toMatchObject(endedWith(2, 'no update of this profile to undo'))
})

test('payroll history says who it was, and how many damaged lines it left out', async () => {
  const at = await withAnn()
  await at.update('city=York')
  at.write([...at.lines(), '{"id":"torn', '{"id":"x","at":1}'])
  const { err, json } = await at.run('history', '--json')
  expect([json().length, json()[0].name]).toEqual([1, 'Ann Sample'])
  expect(err).toContain('2 lines of the history are damaged and left out')
  const screen = await atTerminal(['history'], { home: at.home, env: at.env }).ended
  expect(screen.out).toContain('A-1  Ann Sample')
})
