import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, freshHome, keys, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { wholeFor, withoutAdded } from '../../whole-record.ts'

const bank = { bankName: 'Example Bank', accountNumber: '31926819', sortCode: '601613' }
const ann = {
  id: 'a1',
  agencyRef: 'A-1',
  surname: 'Ann',
  NINumber: null,
  DOB: '1990-02-28',
  bank,
  setting: {},
}
const bob = {
  id: 'b2',
  agencyRef: 'B-2',
  surname: 'Bob',
  NINumber: 'QQ123456B',
  DOB: '1991-03-04',
  bank: { ...bank, accountNumber: '55779911' },
  setting: {},
}
/** Without both numbers of the account. */
const halfAnn = { ...ann, bank: { bankName: 'Example Bank' } }
const halfBob = { ...bob, bank: { bankName: 'Example Bank' } }
const summary = ({ id, agencyRef, surname }: typeof ann | typeof bob) => ({ id, agencyRef, surname })

/** What the records below may come without. */
const absent = ['NINumber', 'DOB', 'accountNumber', 'sortCode']

interface Held {
  /** The single records, by id. */
  readonly records: readonly (object & { readonly id: string; readonly [name: string]: unknown })[]
  /** Undefined: there is no such list. */
  readonly list?: readonly object[]
  /** The fields that the records may come without; null where there is none else. */
  readonly but?: readonly string[]
}

/** A service with these records and this list, and an update of the first record. */
async function office({ records, list, but = absent }: Held) {
  const { added } = wholeFor(['candidates'], records[0], but)
  const home = freshHome()
  const { env, received } = await service(({ method, url, body }, response) => {
    const path = new URL(url, 'http://127.0.0.1').pathname
    if (path === '/svc/candidates' || path.endsWith('/documents')) {
      return list
        ? answerJson(response, 200, { data: list, totalDocs: list.length })
        : answerJson(response, 404, {})
    }
    const record = records.find(({ id }) => path.endsWith(`/${id}`))
    if (!record) return answerJson(response, 404, {})
    if (method === 'GET')
      return answerJson(response, 200, { data: wholeFor(['candidates'], record, but).record, success: true })
    const { generalSetting = {}, bankSetting, payrollSetting, ...rest } = JSON.parse(body)
    const changed = { ...generalSetting, bank: bankSetting, setting: payrollSetting, ...rest }
    answerJson(response, 200, { data: { ...record, ...changed }, success: true })
  })
  const argv = ['candidates', 'update', 'a1', '--id', '--set', 'surname=Smith']
  return {
    home,
    env,
    argv,
    run: (...more: string[]) => payroll([...argv, '--json', ...more], { home, env }),
    call: (...words: string[]) => payroll([...words, '--json'], { home, env }),
    gets: () => received.filter(({ method }) => method === 'GET').map(({ url }) => url.split('?')[0]),
    puts: () =>
      received
        .filter(({ method }) => method === 'PUT')
        .map(({ body }) => withoutAdded(JSON.parse(body), added)),
  }
}

const hides = 'the service hides it'

describe('an update of a record that came back without an account number and a sort code', () => {
  test.each<[string, Held, string]>([
    ['the service shows them of nobody', { records: [halfAnn, halfBob], list: [halfAnn, halfBob] }, hides],
    ['nobody else is there', { records: [halfAnn], list: [halfAnn] }, hides],
    ['there is no list', { records: [halfAnn, bob] }, hides],
    ['the list is empty', { records: [halfAnn, bob], list: [] }, hides],
    [
      'the list shows them of this very person',
      { records: [halfAnn, bob], list: [ann, bob] },
      'the list shows that this record has it',
    ],
    [
      'the list shows masks of this very person',
      {
        records: [halfAnn, bob],
        list: [{ ...ann, bank: { accountNumber: '****6819', sortCode: '******' } }, bob],
      },
      'the list shows that this record has it',
    ],
    [
      'the list shows them of somebody whose own record does not',
      { records: [halfAnn, halfBob], list: [bob] },
      'the list shows it for others, and their own records do not',
    ],
    [
      'others have masks alone',
      {
        records: [halfAnn, { ...bob, bank: { accountNumber: '****9911', sortCode: '**-**-13' } }],
        list: [ann, bob].map(summary),
      },
      hides,
    ],
  ])('is exit 10 and sends nothing where %s, also with --yes', async (_, held, why) => {
    const { run, puts } = await office(held)
    for (const more of [[], ['--yes'], ['--dry-run']]) {
      const ended = await run(...more)
      expect([ended.code, ended.out, puts()]).toEqual([10, '', []])
      expect(ended.error()).toMatchObject({
        outcome: 'not-sent',
        message: 'The service returned this record without sort code and account number. Nothing was sent.',
        issues: [
          { path: 'bankSetting.sortCode', message: expect.stringContaining(why) },
          { path: 'bankSetting.accountNumber', message: expect.stringContaining(why) },
        ],
        hint: expect.stringMatching(/add --allow-missing sortCode --allow-missing accountNumber$/),
      })
    }
  })

  test.each<[string, Held, readonly string[]]>([
    ['the list shows them of others', { records: [halfAnn], list: [halfAnn, bob] }, ['/svc/candidates/b2']],
    [
      'the record of somebody else shows them',
      { records: [halfAnn, bob], list: [ann, bob].map(summary) },
      ['/svc/candidates/b2'],
    ],
    [
      'the list says of this person that there are none',
      { records: [halfAnn], list: [{ ...ann, bank: { accountNumber: null, sortCode: '' } }] },
      [],
    ],
  ])('goes on where %s: what is empty is left out', async (_, held, others) => {
    const { run, puts, gets } = await office(held)
    const { code, err } = await run()
    expect([code, err]).toEqual([0, expect.not.stringContaining('allow-missing')])
    expect(puts()).toMatchObject([{ bankSetting: { bankName: 'Example Bank' } }])
    expect(gets()).toEqual(['/svc/candidates/a1', '/svc/candidates', ...others, '/svc/candidates/a1'])
  })

  test('goes on with --allow-missing for each, or for the section, and looks at nothing else', async () => {
    for (const names of [
      ['accountNumber', 'sortCode'],
      ['bank'],
      ['bankSetting.accountNumber', 'Sort code'],
    ]) {
      const { run, puts, gets } = await office({ records: [halfAnn], list: [halfAnn] })
      const { code } = await run(...names.flatMap((name) => ['--allow-missing', name]))
      expect([code, puts().length, gets().length]).toEqual([0, 1, 2])
    }
    const { run, puts } = await office({ records: [halfAnn], list: [halfAnn] })
    const one = await run('--allow-missing', 'sortCode')
    expect([one.code, puts()]).toEqual([10, []])
    expect(one.error().issues).toMatchObject([{ path: 'bankSetting.accountNumber' }])
  })

  test('goes on where the update gives them', async () => {
    const { run, puts } = await office({ records: [halfAnn], list: [halfAnn] })
    const given = ['--set', 'accountNumber=31926819', '--set', 'sortCode=601613']
    expect((await run(...given)).code).toBe(0)
    expect(puts()).toMatchObject([{ bankSetting: bank }])
  })

  test('asks for each at a terminal, and Enter means no', async () => {
    const { home, env, argv, puts } = await office({ records: [halfAnn], list: [halfAnn] })
    const refusing = atTerminal([...argv, '--yes'], { home, env })
    await refusing.type('Send it without sort code?', `y${keys.enter}`)
    await refusing.type('Send it without account number?', keys.enter)
    expect((await refusing.ended).err).toContain('Not confirmed. Nothing was sent.')
    expect(puts()).toEqual([])
    const agreeing = atTerminal(argv, { home, env })
    await agreeing.type('Send it without sort code?', `y${keys.enter}`)
    await agreeing.type('Send it without account number?', `y${keys.enter}`)
    expect([(await agreeing.ended).code, puts().length]).toEqual([0, 1])
  })

  test('names both before a form opens, where they can be entered', async () => {
    const { home, env, puts } = await office({ records: [halfAnn], list: [halfAnn] })
    const terminal = atTerminal(['candidates', 'update', 'a1'], { home, env })
    await terminal.type('What next?', keys.ctrlC)
    await terminal.ended
    expect(terminal.screen()).toContain('sort code and account number are empty here')
    expect(puts()).toEqual([])
  })
})

describe('an update of a record that came back without an NI number and a date of birth', () => {
  const { NINumber: _ni, DOB: _dob, ...without } = ann

  test('is exit 10 where nobody shows any, and goes on where somebody does', async () => {
    const { NINumber: _bni, DOB: _bdob, ...alike } = bob
    const hidden = await office({ records: [without, alike], list: [without, alike] })
    const refused = await hidden.run()
    expect([refused.code, hidden.puts()]).toEqual([10, []])
    expect(refused.error().issues.map(({ path }: { path: string }) => path)).toEqual([
      'generalSetting.DOB',
      'generalSetting.NINumber',
    ])
    expect(refused.error().message).toContain('without date of birth and National Insurance number.')
    const shown = await office({ records: [without, bob], list: [without, bob] })
    expect([(await shown.run()).code, shown.puts().length]).toEqual([0, 1])
  })

  test('goes on where they are null or empty, and asks for nothing more', async () => {
    for (const none of [null, '']) {
      const { run, gets, puts } = await office({ records: [{ ...ann, NINumber: none, DOB: none }] })
      expect([(await run()).code, gets().length, puts().length]).toEqual([0, 2, 1])
    }
  })
})

/** Two people of a service that leaves these fields out of one record, or of all. */
function peopleWithout(name: string, { ofAll = false } = {}) {
  const setting = { taxCode: '1257L', taxBasis: 'CUMULATIVE', niCategory: 'A', haveStudentLoan: false }
  const pay = {
    email: 'a@example.com',
    dateOfJoining: '2026-04-06',
    rateHour: 21.5,
    hours: 37.5,
    title: 'Ms',
  }
  const person = (id: string) => ({
    ...{ ...(id === 'a1' ? ann : bob), ...pay, forename: 'Zoe', address: ['1 Example Street'] },
    ...{ pensionSetting: { optState: 'ignition' }, setting },
  })
  const without = (id: string) =>
    JSON.parse(JSON.stringify(wholeFor(['candidates'], person(id)).record), (key, value) =>
      key === name ? undefined : value,
    )
  const records = [without('a1'), ofAll ? without('b2') : person('b2')]
  return { records, list: records, but: [name] }
}

describe.each([
  ['email', 'generalSetting.email'],
  ['address', 'generalSetting.address'],
  ['dateOfJoining', 'generalSetting.dateOfJoining'],
  ['hours', 'generalSetting.hours'],
  ['rateHour', 'generalSetting.rateHour'],
  ['pensionSetting', 'generalSetting.pensionSetting'],
  ['optState', 'generalSetting.pensionSetting.optState'],
  ['taxCode', 'payrollSetting.taxCode'],
  ['niCategory', 'payrollSetting.niCategory'],
  ['haveStudentLoan', 'payrollSetting.haveStudentLoan'],
])('an update of a record that came back without %s', (name, path) => {
  test('is exit 10 and names it where the service shows it of nobody', async () => {
    const { run, puts } = await office(peopleWithout(name, { ofAll: true }))
    const ended = await run()
    expect([ended.code, puts()]).toEqual([10, []])
    expect(ended.error().issues.map((issue: { path: string }) => issue.path)).toEqual([path])
    expect(ended.error().hint).toContain('--allow-missing ')
  })

  test('goes on where the service shows it of somebody else', async () => {
    const { run, puts } = await office(peopleWithout(name))
    expect([(await run()).code, puts().length]).toEqual([0, 1])
  })
})

test('an update of a record that came back without a forename is exit 10 even where the service shows that of others: nobody is made without', async () => {
  const { run, puts } = await office(peopleWithout('forename'))
  const ended = await run()
  expect([ended.code, puts()]).toEqual([10, []])
  expect(ended.error().issues).toEqual([
    { path: 'generalSetting.forename', message: expect.stringContaining('never made without it') },
  ])
})

describe('a field that pay does not depend on, and that nothing shows', () => {
  const warning = /nothing shows whether this record has none of these fields.*: title\./

  test('is named in one warning, and looked for once a day', async () => {
    const { run, puts, gets } = await office(peopleWithout('title', { ofAll: true }))
    const first = await run()
    expect([first.code, first.err, puts().length]).toEqual([0, expect.stringMatching(warning), 1])
    const before = gets().length
    const second = await run('--set', 'city=Leeds')
    expect([second.code, second.err]).toEqual([0, expect.not.stringMatching(warning)])
    expect(gets().length - before).toBe(2)
  })

  test('is one of the five that the warning names; the others are counted', async () => {
    const gone = ['title', 'gender', 'county', 'mobile', 'nationality', 'jobDescription', 'department']
    const { records } = peopleWithout('title', { ofAll: true })
    const sparse = JSON.parse(JSON.stringify(records), (key, value) =>
      gone.includes(key) ? undefined : value,
    )
    const { run } = await office({ records: sparse, list: sparse, but: gone })
    expect((await run()).err).toMatch(/none of these fields.*: \w+(, \w+){4} and 2 more\.\n/)
  })

  test('is not spoken of where another record shows it', async () => {
    const { run } = await office(peopleWithout('title'))
    expect((await run()).err).not.toMatch(warning)
  })

  test('is exit 10 where the list shows it of this very person', async () => {
    const { records } = peopleWithout('title', { ofAll: true })
    const { run, puts } = await office({ records, list: [{ ...records[0], title: 'Ms' }], but: ['title'] })
    expect([(await run()).code, puts()]).toEqual([10, []])
  })
})

describe('that a service shows a field', () => {
  test('is remembered for the day: names and the day, readable by the owner only', async () => {
    const { run, gets, home } = await office({ records: [halfAnn, bob], list: [ann, bob].map(summary) })
    expect((await run()).code).toBe(0)
    const before = gets().length
    expect((await run('--set', 'city=Leeds')).code).toBe(0)
    expect(gets().slice(before)).toEqual(['/svc/candidates/a1', '/svc/candidates/a1'])
    const file = join(home, 'shown-fields.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = readFileSync(file, 'utf8')
    const [fields] = Object.values(JSON.parse(text)) as [Record<string, string>]
    expect(Object.keys(fields)).toEqual(['bankSetting.sortCode', 'bankSetting.accountNumber'])
    expect(text).not.toMatch(/31926819|55779911|601613|Ann|Bob|CANARY/)
  })

  test('that a service shows a field that is hidden is not remembered, and looked for again', async () => {
    const { run, gets } = await office({ records: [halfAnn], list: [halfAnn] })
    await run()
    await run()
    expect(gets().filter((path) => path === '/svc/candidates')).toHaveLength(2)
  })
})

describe('an update of a document that came back without its content', () => {
  const paper = { id: 'd1', name: 'a.pdf', description: 'One' }
  const words = ['documents', 'update', 'd1', '--employee', 'a1', '--set', 'description=Two']

  test('is exit 10 and sends nothing', async () => {
    const { call, puts } = await office({ records: [paper], list: [paper] })
    const { code, err } = await call(...words)
    expect([code, err, puts()]).toEqual([10, expect.stringContaining('--allow-missing content'), []])
  })

  test('goes on with --allow-missing content', async () => {
    const { call, puts } = await office({ records: [paper], list: [paper] })
    expect((await call(...words, '--allow-missing', 'content')).code).toBe(0)
    expect(puts()).toEqual([{ name: 'a.pdf', description: 'Two' }])
  })
})

test('--allow-missing of a field that no update waits for is exit 2, with those that there are', async () => {
  const { run, gets } = await office({ records: [ann] })
  const { code, err } = await run('--allow-missing', 'colour')
  expect([code, gets()]).toEqual([2, []])
  expect(err).toContain('--allow-missing colour names no field or section')
  expect(err).toMatch(/such as: bank, payroll, general, .*forename, .*NINumber, .*accountNumber, .*taxCode/)
})
