import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, freshHome, keys, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { wholeFor, withoutAdded } from '../../whole-record.ts'

const bank = { bankName: 'Example Bank', accountNumber: '31926819', sortCode: '601613' }
const ann = {
  ...{ id: 'a1', agencyRef: 'A-1', surname: 'Ann', NINumber: null, DOB: '1990-02-28' },
  ...{ bank, setting: {} },
}
const bob = {
  ...{ id: 'b2', agencyRef: 'B-2', surname: 'Bob', NINumber: 'QQ123456B', DOB: '1991-03-04' },
  ...{ bank: { ...bank, accountNumber: '55779911' }, setting: {} },
}
/** Without both numbers of the account. */
const [halfAnn, halfBob] = [ann, bob].map((each) => ({ ...each, bank: { bankName: 'Example Bank' } })) as [
  any,
  any,
]
const summaries = [ann, bob].map(({ id, agencyRef, surname }) => ({ id, agencyRef, surname }))
const masked = { accountNumber: '****6819', sortCode: '**-**-13' }

/** What the records below may come without. */
const absent = ['NINumber', 'DOB', 'accountNumber', 'sortCode']

interface Held {
  /** The single records, by id. */
  readonly records: readonly (object & { readonly id: string; readonly [name: string]: unknown })[]
  /** Undefined: there is no such list. */
  readonly list?: readonly object[]
  /** The fields that the records may come without; null where there is none else. */
  readonly but?: readonly string[]
  readonly emptyFields?: string
}

/** A service with these records and this list, and an update of the first record. */
async function office({ records, list, but = absent, emptyFields }: Held) {
  const { added } = wholeFor(['candidates'], records[0], but)
  const home = freshHome()
  const { env: given, received } = await service(({ method, url, body }, response) => {
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
  const env = { ...given, ...(emptyFields && { PAYROLL_EMPTY_FIELDS: emptyFields }) }
  const argv = ['candidates', 'update', 'a1', '--id', '--set', 'surname=Smith']
  const call = (...words: string[]) => payroll([...words, '--json'], { home, env })
  return {
    home,
    env,
    call,
    run: (...more: string[]) => call(...argv, ...more),
    form: (...more: string[]) => atTerminal([...argv, ...more], { home, env }),
    gets: () => received.filter(({ method }) => method === 'GET').map(({ url }) => url.split('?')[0]),
    puts: () =>
      received
        .filter(({ method }) => method === 'PUT')
        .map(({ body }) => withoutAdded(JSON.parse(body), added)),
  }
}

describe('an update of a record that came back without an account number and a sort code', () => {
  const hides = 'it is empty, or the service hides it'
  const hasIt = 'the list shows that this record has it'
  const onlyInList = 'the service hides it: a record that had it came back without it'
  const hidden: Held = { records: [halfAnn], list: [halfAnn] }

  test.each<[where: string, held: Held, why: string]>([
    ['the service shows them of nobody', { records: [halfAnn, halfBob], list: [halfAnn, halfBob] }, hides],
    ['nobody else is there', hidden, hides],
    ['there is no list', { records: [halfAnn, bob] }, hides],
    ['the list is empty', { records: [halfAnn, bob], list: [] }, hides],
    ['others have masks alone', { records: [halfAnn, { ...bob, bank: masked }], list: summaries }, hides],
    ['the list shows them of this very person', { records: [halfAnn, bob], list: [ann, bob] }, hasIt],
    [
      'the list shows masks of them',
      { records: [halfAnn, bob], list: [{ ...ann, bank: masked }, bob] },
      hasIt,
    ],
    ['only the list shows them of others', { records: [halfAnn, halfBob], list: [bob] }, onlyInList],
  ])('is exit 10 and sends nothing where %s, also with --yes', async (_, held, why) => {
    for (const more of [[], ['--yes'], ['--dry-run']]) {
      const { run, puts } = await office(held)
      const ended = await run(...more)
      expect([ended.code, ended.out, puts()]).toEqual([10, '', []])
      expect(ended.error()).toMatchObject({
        outcome: 'not-sent',
        message: expect.stringContaining('without sort code and account number'),
        issues: [
          { path: 'bankSetting.sortCode', message: expect.stringContaining(why) },
          { path: 'bankSetting.accountNumber', message: expect.stringContaining(why) },
        ],
        hint: expect.stringMatching(/add --allow-missing sortCode --allow-missing accountNumber/),
      })
    }
  })

  const none = { ...ann, bank: { accountNumber: null, sortCode: '' } }
  const bobs = '/svc/candidates/b2'
  test.each<[where: string, held: Held, others: readonly string[]]>([
    ['the list shows them of others', { records: [halfAnn], list: [halfAnn, bob] }, [bobs]],
    ['the record of somebody else shows them', { records: [halfAnn, bob], list: summaries }, [bobs]],
    ['the list says of this person that there are none', { records: [halfAnn], list: [none] }, []],
  ])('goes on where %s: what is empty is left out', async (_, held, others) => {
    const { run, puts, gets } = await office(held)
    const { code, err } = await run()
    expect([code, err]).toEqual([0, expect.not.stringContaining('allow-missing')])
    expect(puts()).toMatchObject([{ bankSetting: { bankName: 'Example Bank' } }])
    expect(gets()).toEqual(['/svc/candidates/a1', '/svc/candidates', ...others, '/svc/candidates/a1'])
  })

  test.each([
    [['accountNumber', 'sortCode'], 0],
    [['bank'], 0],
    [['bankSetting.accountNumber', 'Sort code'], 0],
    [['sortCode'], 10],
  ])(
    'with --allow-missing of %j is exit %i, and looks at nothing else where it goes on',
    async (names, code) => {
      const { run, puts, gets } = await office(hidden)
      const ended = await run(...names.flatMap((name) => ['--allow-missing', name]))
      expect([ended.code, puts().length]).toEqual([code, code === 0 ? 1 : 0])
      if (code === 0) expect(gets()).toHaveLength(2)
      else expect(ended.error().issues).toMatchObject([{ path: 'bankSetting.accountNumber' }])
    },
  )

  test('goes on where the update gives them', async () => {
    const { run, puts } = await office(hidden)
    expect((await run('--set', 'accountNumber=31926819', '--set', 'sortCode=601613')).code).toBe(0)
    expect(puts()).toMatchObject([{ bankSetting: bank }])
  })

  test('asks for each at a terminal, and Enter means no, where the service was said to hide fields', async () => {
    const { form, puts } = await office({ ...hidden, emptyFields: 'hidden' })
    const refusing = form('--yes')
    await refusing.type('Send it without sort code?', `y${keys.enter}`)
    await refusing.type('Send it without account number?', keys.enter)
    expect((await refusing.ended).err).toContain('Stopped. Nothing was sent.')
    expect(puts()).toEqual([])
    const agreeing = form()
    await agreeing.type('Send it without sort code?', `y${keys.enter}`)
    await agreeing.type('Send it without account number?', `y${keys.enter}`)
    expect([(await agreeing.ended).code, puts().length]).toEqual([0, 1])
  })

  test('names both before a form opens, where they can be entered', async () => {
    const { home, env, puts } = await office({ ...hidden, emptyFields: 'hidden' })
    const terminal = atTerminal(['candidates', 'update', 'a1'], { home, env })
    await terminal.type('What next?', keys.ctrlC)
    await terminal.ended
    expect(terminal.screen()).toContain('sort code and account number are empty here')
    expect(puts()).toEqual([])
  })

  test('is remembered where others show them: names of fields alone, readable by the owner only', async () => {
    const { run, gets, home } = await office({ records: [halfAnn, bob], list: summaries })
    expect((await run()).code).toBe(0)
    const before = gets().length
    expect((await run('--set', 'city=Leeds')).code).toBe(0)
    expect(gets().slice(before)).toEqual(['/svc/candidates/a1', '/svc/candidates/a1'])
    const file = join(home, 'service-knowledge.jsonl')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = readFileSync(file, 'utf8')
    for (const path of ['bankSetting.sortCode', 'bankSetting.accountNumber'])
      expect(text).toContain(`"of":"candidates.create","news":"shown ${path}"`)
    expect(text).not.toMatch(/31926819|55779911|601613|Ann|Bob|CANARY/)
  })

  test('is not remembered where they are hidden, and looked for again', async () => {
    const { run, gets } = await office(hidden)
    await run()
    await run()
    expect(gets().filter((path) => path === '/svc/candidates')).toHaveLength(2)
  })
})

describe('an update of a record that came back without an NI number and a date of birth', () => {
  test('is exit 10 where nobody shows any, and goes on where somebody does', async () => {
    const [without, alike] = [ann, bob].map(({ NINumber: _ni, DOB: _dob, ...rest }) => rest) as [any, any]
    const hidden = await office({ records: [without, alike], list: [without, alike] })
    const refused = await hidden.run()
    expect([refused.code, hidden.puts()]).toEqual([10, []])
    const missing = [{ path: 'generalSetting.DOB' }, { path: 'generalSetting.NINumber' }]
    expect(refused.error().issues).toMatchObject(missing)
    expect(refused.error().message).toContain('without date of birth and National Insurance number')
    const shown = await office({ records: [without, bob], list: [without, bob] })
    expect([(await shown.run()).code, shown.puts().length]).toEqual([0, 1])
  })

  test.each([null, ''])('goes on where they are %j, and asks for nothing more', async (none) => {
    const { run, gets, puts } = await office({ records: [{ ...ann, NINumber: none, DOB: none }] })
    expect([(await run()).code, gets().length, puts().length]).toEqual([0, 2, 1])
  })
})

/** The same without these names, at any depth. */
const without = (names: readonly string[], value: unknown) =>
  JSON.parse(JSON.stringify(value), (key, each) => (names.includes(key) ? undefined : each))

/** Two people of a service that leaves these fields out of one record, or of all. */
function peopleWithout(names: readonly string[], { ofAll = false } = {}) {
  const records = [ann, bob].map((each) => ({
    ...{ ...each, forename: 'Zoe', title: 'Ms', email: 'a@example.com', address: ['1 Example Street'] },
    ...{ dateOfJoining: '2026-04-06', rateHour: 21.5, hours: 37.5, pensionSetting: { optState: 'ignition' } },
    setting: { taxCode: '1257L', taxBasis: 'CUMULATIVE', niCategory: 'A', haveStudentLoan: false },
  }))
  const [first, second] = records.map((each) => without(names, wholeFor(['candidates'], each).record))
  const all = [first, ofAll ? second : records[1]]
  return { records: all, list: all, but: names }
}

test.each([
  'generalSetting.email',
  'generalSetting.address',
  'generalSetting.dateOfJoining',
  'generalSetting.hours',
  'generalSetting.rateHour',
  'generalSetting.pensionSetting',
  'generalSetting.pensionSetting.optState',
  'payrollSetting.taxCode',
  'payrollSetting.niCategory',
  'payrollSetting.haveStudentLoan',
])(
  'an update of a record that came back without %s is exit 10 where the service shows it of nobody, and goes on where it does',
  async (path) => {
    const names = path.split('.').slice(-1)
    const ofNobody = await office(peopleWithout(names, { ofAll: true }))
    const ended = await ofNobody.run()
    expect([ended.code, ofNobody.puts(), ended.error().issues]).toMatchObject([10, [], [{ path }]])
    expect(ended.error().hint).toContain('--allow-missing ')
    const { run, puts } = await office(peopleWithout(names))
    expect([(await run()).code, puts().length]).toEqual([0, 1])
  },
)

test('an update of a record that came back without a forename is exit 10 even where the service shows that of others: nobody is made without', async () => {
  const { run, puts } = await office(peopleWithout(['forename']))
  const ended = await run()
  expect([ended.code, puts()]).toEqual([10, []])
  expect(ended.error().issues).toEqual([
    { path: 'generalSetting.forename', message: expect.stringContaining('every such record has it') },
  ])
})

describe('a field that pay does not depend on, and that nothing shows', () => {
  const warning = /the service does not return these fields, and may clear those not given: title\./
  const untitled = peopleWithout(['title'], { ofAll: true })

  test('is named in one warning, and looked for once a day', async () => {
    const { run, puts, gets } = await office(untitled)
    const first = await run()
    expect([first.code, first.err, puts().length]).toEqual([0, expect.stringMatching(warning), 1])
    const before = gets().length
    const second = await run('--set', 'city=Leeds')
    expect([second.code, second.err]).toEqual([0, expect.not.stringMatching(warning)])
    expect(gets().length - before).toBe(2)
  })

  test('is one of the five that the warning names; the others are counted', async () => {
    const gone = ['title', 'gender', 'county', 'mobile', 'nationality', 'jobDescription', 'department']
    const { run } = await office(peopleWithout(gone, { ofAll: true }))
    expect((await run()).err).toMatch(/does not return these fields.*: \w+(, \w+){4} and 2 more\.\n/)
  })

  test('is not spoken of where another record shows it', async () => {
    const { run } = await office(peopleWithout(['title']))
    expect((await run()).err).not.toMatch(warning)
  })

  test('is exit 10 where the list shows it of this very person', async () => {
    const { run, puts } = await office({ ...untitled, list: [{ ...untitled.records[0], title: 'Ms' }] })
    expect([(await run()).code, puts()]).toEqual([10, []])
  })

  test('is exit 10 with an option that lets it go, where the list shows it in a section', async () => {
    const without = peopleWithout(['openingBalance'], { ofAll: true })
    const [first] = without.records
    const listed = { ...first, setting: { openingBalance: { gross: 100 } } }
    const { run, puts } = await office({ ...without, list: [listed] })
    const { code, err } = await run()
    const [option = ''] = err.match(/--allow-missing \w+/) ?? []
    expect([code, option, puts()]).toEqual([10, '--allow-missing openingBalance', []])
    expect([(await run(...option.split(' '))).code, puts().length]).toEqual([0, 1])
    expect([(await run('--allow-missing', 'opening balance')).code, puts().length]).toEqual([0, 2])
  })
})

test('an update of a document that came back without its content is exit 10, and goes on with --allow-missing content', async () => {
  const paper = { id: 'd1', name: 'a.pdf', description: 'One' }
  const words = ['documents', 'update', 'd1', '--employee', 'a1', '--set', 'description=Two']
  const { call, puts } = await office({ records: [paper], list: [paper] })
  const { code, err } = await call(...words)
  expect([code, err, puts()]).toEqual([10, expect.stringContaining('--allow-missing content'), []])
  expect((await call(...words, '--allow-missing', 'content')).code).toBe(0)
  expect(puts()).toEqual([{ name: 'a.pdf', description: 'Two' }])
})

test('--allow-missing of a field that no update waits for, and the record does not have, is exit 2, with those that there are', async () => {
  const { run, puts } = await office({ records: [ann] })
  const { code, err } = await run('--allow-missing', 'colour')
  expect([code, puts()]).toEqual([2, []])
  expect(err).toContain('--allow-missing colour names no field or section')
  expect(err).toMatch(/such as: bank, payroll, general, .*forename, .*NINumber, .*accountNumber, .*taxCode/)
})
