// @module-tag tables
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'
import { keepingPeople } from '../people-service.ts'
import { answerJson, service } from '../service.ts'
import { startSandbox } from '../start-sandbox.ts'

/** How a service writes a value that it has stored otherwise than it was sent; undefined for a value that it writes as it is. */
type Spelling = (name: string, value: any) => unknown

const textOf =
  (names: RegExp, write: (text: string) => unknown): Spelling =>
  (name, value) =>
    names.test(name) && typeof value === 'string' ? write(value) : undefined
const numbersIn =
  (names: RegExp, write: (number: number) => unknown): Spelling =>
  (name, value) =>
    names.test(name) && Number(value) > 0 ? write(Number(value)) : undefined
const flags =
  (write: (flag: boolean) => unknown): Spelling =>
  (name, value) =>
    typeof value === 'boolean' && name !== 'success' ? write(value) : undefined
const lists =
  (write: (lines: readonly string[]) => unknown): Spelling =>
  (name, value) =>
    name === 'address' && Array.isArray(value) ? write(value) : undefined

const capitals = (text: string) => text.toUpperCase()
const title = (text: string) => text.charAt(0) + text.slice(1).toLowerCase()
const codes = /^(gender|payFrequency|registrationStatus|payMethod|maritalStatus|paymentModel)$/

/** How a service writes several of its values at once: no two of them are of one field. */
interface Service {
  readonly answers: string
  readonly spells: readonly Spelling[]
  /** Whether each is one value in two spellings: no command sends anything for it. Else it is another one, sent once and stored. */
  readonly isOne: boolean
  /** Whether its tax year may be an Irish one too: 2026 alone. */
  readonly isShort?: boolean
}

const services: readonly Service[] = [
  {
    answers:
      'text for amounts and flags, more decimals, small letters, lines in another order and below an address',
    isOne: true,
    spells: [
      lists((lines) => [...lines, '', '']),
      numbersIn(/^(rateHour|annualSalary|hours)$/, (amount) => amount.toFixed(2)),
      numbersIn(/^(units|rate)$/, (amount) => amount.toFixed(4)),
      (name, value) => (name === 'rates' ? value.toReversed() : undefined),
      textOf(/^NINumber$/, (text) => text.replace(/(..)(?=.)/g, '$1 ')),
      textOf(codes, title),
      flags(String),
    ],
  },
  {
    answers:
      'numbers for hours and flags, floating point, codes as words, other dashes, spaces and apostrophes',
    isOne: true,
    spells: [
      numbersIn(/^rateHour$/, (rate) => rate + 0.000000001),
      numbersIn(/^(units|rate)$/, Number),
      textOf(/^taxYear$/, (text) => text.replace('/', '-')),
      textOf(/^sortCode$/, (text) => text.replace(/\D/g, '').replace(/(..)(?=.)/g, '$1 ')),
      textOf(/name$/, (text) => text.replaceAll("'", '’')),
      textOf(codes, (text) => title(text).replaceAll('_', ' ')),
      flags(Number),
    ],
  },
  {
    answers:
      'capitals, a postcode without its space, the tax week and year as numbers, and hours to the hundredth',
    isOne: false,
    isShort: true,
    spells: [
      textOf(/name$/, capitals),
      lists((lines) => lines.map(capitals)),
      textOf(/^postCode$/i, (text) => text.replaceAll(' ', '')),
      textOf(/^taxPeriodConfig$/, (text) => Number(text.replace(/\D/g, ''))),
      textOf(/^taxYear$/, (text) => Number(text.slice(0, 4))),
      numbersIn(/^units$/, (units) => units.toFixed(2)),
    ],
  },
  {
    answers:
      'spaces behind an address, the tax week with two digits, F for FEMALE, and a mobile number with its country',
    isOne: false,
    spells: [
      lists((lines) => lines.map((line) => `${line} `)),
      textOf(/^taxPeriodConfig$/, (text) => text.replace(/\D/g, '').padStart(2, '0')),
      textOf(/^gender$/, (text) => text.charAt(0)),
      textOf(/^mobile$/, (text) => text.replace(/^0/, '+44').replaceAll(' ', '')),
    ],
  },
]

const people = `Agency reference,Forename,Surname,Date of birth,Gender,Address 1,City,Postcode,Mobile,Start date,Hourly rate,Pay frequency,NI number,Sort code,Account number,Allow portal login
NEW-1,Orla,O'Sample,1990-03-14,Female,1 Example Street,Leeds,LS1 1UR,07700 900111,2026-12-07,21.75,Weekly,AB123456C,10-79-99,88837491,Yes
`
const hours = `Staff no,Week ending,Tax week,Tax year,Hours,Rate code,Rate
SANDBOX-UK-02,29 Nov 2026,35,2026/27,30,STD,14.20
SANDBOX-UK-02,29 Nov 2026,35,2026/27,4.333,OT150,21.30
`

async function office({ spells }: Service) {
  const sandbox = await startSandbox({ seeded: true })
  const home = freshHome()
  const state = { spells: true, loses: false }
  const spelt = (value: any, name = ''): any => {
    const inside = Array.isArray(value)
      ? value.map((each) => spelt(each))
      : value && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([each, inner]) => [each, spelt(inner, each)]))
        : value
    return spells.reduce((written, spell) => spell(name, written) ?? written, inside)
  }
  sandbox.intercept(async ({ method }, response, carryOut) => {
    const answer = await carryOut()
    const text = await answer.text()
    if (method === 'POST' && state.loses) return Boolean(response.destroy())
    const isSpelt = state.spells && text.startsWith('{') && answer.ok
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(isSpelt ? JSON.stringify(spelt(JSON.parse(text))) : text)
    return true
  })
  const run = (...words: string[]) => payroll([...words, '--yes', '--json'], { home, env: sandbox.env })
  const puts = () => sandbox.received.filter(({ method }) => method === 'PUT').length
  /** Creates what a file says, and imports it again on so many nights. Returns how each ended, and how many PUTs each sent. */
  const nights = async (noun: string, text: string, count: number) => {
    const file = join(home, `${noun}.csv`)
    writeFileSync(file, text)
    const words = [noun, 'import', file, '--settle', '0', ...(noun === 'candidates' ? ['--uk'] : [])]
    expect(await run(...words)).toMatchObject({ code: 0 })
    const ends: [number, number][] = []
    for (let night = 0; night < count; night += 1) {
      const before = puts()
      const { code } = await run(...words, '--update', ...(noun === 'candidates' ? ['--bank'] : []))
      ends.push([code, puts() - before])
    }
    return ends
  }
  return { ...sandbox, run, puts, nights, state }
}

const sets = (...texts: string[]) => texts.flatMap((text) => ['--set', text])

describe.each(services)('where a service answers $answers', (of) => {
  test('a row is known again on each night, and nothing is sent for it', async () => {
    const { nights } = await office(of)
    const quiet = [0, 0]
    expect(await nights('candidates', people, 2)).toEqual([quiet, quiet])
    expect(await nights('timesheets', hours, 2)).toEqual([quiet, quiet])
  })

  test('an update to what is there is done, and can be taken back', async () => {
    const { nights, run, puts } = await office(of)
    await nights('candidates', people, 0)
    const update = ['candidates', 'update', 'NEW-1', '--uk']
    expect(
      await run(...update, ...sets('city=Otley', 'address[0]=2 Low Road', "surname=O'Fake")),
    ).toMatchObject({ code: 0 })
    const before = puts()
    const same = [
      'address[0]=2 Low Road',
      'postCode=LS1 1UR',
      'gender=FEMALE',
      'rateHour=21.75',
      'DOB=1990-03-14',
    ]
    const again = await run(
      ...update,
      ...sets(...same, 'NINumber=AB123456C', 'sortCode=107999', 'mobile=07700 900111'),
    )
    expect(again.code).toBe(0)
    if (of.isOne)
      expect([puts() - before, again.err]).toEqual([0, expect.stringContaining('Nothing to change')])
    expect(await run('undo', '--last')).toMatchObject({ code: 0 })
    const sheet = (await run('timesheets', 'list')).json()[0]
    const [line] = sheet.rates
    const toSheet = sets(`rates[0].units=${line.units}`, `taxYear=2026/27`)
    const sent = puts()
    expect((await run('timesheets', 'update', sheet.id, ...toSheet)).code).toBe(0)
    expect(puts() - sent).toBe(of.isShort ? 1 : 0)
  })

  test('a new record whose answer was lost is known', async () => {
    const { run, state, home } = await office(of)
    state.loses = true
    const create = ['candidates', 'create', '--file', 'examples/candidate-uk.json']
    expect(await run(...create)).toMatchObject({
      code: 0,
      err: expect.stringContaining('with what was sent'),
    })
    const rates = [
      { rateId: 'rate-1', units: '37.50', rate: '14.20' },
      { rateId: 'rate-2', units: '2', rate: '21.30' },
    ]
    const days = {
      startDate: '2026-11-23',
      endDate: '2026-11-29',
      taxYear: '2026/27',
      taxPeriodConfig: 'Week 35',
    }
    const sheet = join(home, 'sheet.json')
    writeFileSync(sheet, JSON.stringify({ subcontractorRef: 'SANDBOX-UK-01', ...days, rates }))
    expect(await run('timesheets', 'create', '--file', sheet)).toMatchObject({ code: 0 })
  })

  test.runIf(of.isOne)('a mark that has them otherwise has no change', async () => {
    const { run, state } = await office(of)
    state.spells = false
    await run('changes')
    state.spells = true
    expect((await run('changes')).json()).toEqual([])
  })
})

/** One timesheet or person of a service that keeps what it is sent, but for `keep`. */
async function keeper(record: any, keep: (sent: any, before: any) => any = (sent) => sent) {
  let stored = { id: 'one', ...record }
  const { env, received } = await service(({ method, url, body }, response) => {
    if (method === 'PUT') stored = { id: 'one', ...keep(JSON.parse(body), stored) }
    if (method === 'PUT' && stored.isAnswerLost) return response.destroy()
    const isOne = url.endsWith('/one')
    answerJson(response, 200, isOne ? { data: stored } : { data: [stored], totalDocs: 1 })
  })
  const home = freshHome()
  const run = (...words: string[]) =>
    payroll([...words, '--yes', '--json'], { home, env: { ...env, PAYROLL_EMPTY_FIELDS: 'left-out' } })
  return { run, puts: () => received.filter(({ method }) => method === 'PUT').length, stored: () => stored }
}

describe('what only looks alike is another value', () => {
  const week = {
    subcontractorRef: 'X-1',
    startDate: '2026-11-16',
    endDate: '2026-11-22',
    taxYear: '2026/27',
    taxPeriodConfig: '8',
    rates: [{ rateId: 'r', rate: '20', units: '40', bonus: '50.00', value: '800' }],
  }

  test.each([
    ['taxYear=2026', { taxYear: 2026 }],
    ['taxPeriodConfig=Month 8', { taxPeriodConfig: 'Month 8' }],
  ])('a timesheet is sent %s', async (setting, has) => {
    const { run, puts, stored } = await keeper(week)
    expect(await run('timesheets', 'update', 'one', '--id', '--set', setting)).toMatchObject({ code: 0 })
    expect([puts(), stored()]).toEqual([1, expect.objectContaining(has)])
  })

  test('a year that a service leaves as it was is not stored: exit 8', async () => {
    const { run } = await keeper(week, (_, before) => before)
    const update = ['timesheets', 'update', 'one', '--id', '--set', 'taxYear=2026']
    expect((await run(...update)).code).toBe(8)
  })

  test.each([
    ['worked out anew', (line: any) => ({ ...line, value: '820' }), 0],
    ['lost', ({ bonus: _, ...line }: any) => line, 8],
  ])(
    'what nothing declares of a line is the service\u2019s own where it is %s',
    async (_, keepLine, code) => {
      const { run } = await keeper(week, (sent) => ({
        ...sent,
        rates: sent.rates.map(keepLine),
        isAnswerLost: true,
      }))
      const update = ['timesheets', 'update', 'one', '--id', '--set', 'rates[0].units=41']
      expect((await run(...update)).code).toBe(code)
    },
  )

  test('a telephone number of one country is not that of the other', async () => {
    const abroad = (sent: any) => ({ mobile: sent.generalSetting.mobile?.replace('+353', '+44') })
    const { env, received, people } = await keepingPeople(abroad)
    people.push({ generalSetting: { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample' } })
    const home = freshHome()
    const update = () =>
      payroll(['candidates', 'update', 'UK-1', '--yes', '--incomplete', '--set', 'mobile=+353851234567'], {
        home,
        env: { ...env, PAYROLL_EMPTY_FIELDS: 'left-out' },
      })
    await update()
    expect((await update()).err).not.toContain('Nothing to change')
    expect(received.filter(({ method }) => method === 'PUT')).toHaveLength(2)
  })

  test('bands of the USC that a service keeps as they were are not stored: exit 8', async () => {
    const bands = (rate: number) => [{ index: 0, uscRatePercent: rate, yearlyUSCRateCutOff: '12012.00' }]
    const stored = (rate: number) => ({
      agencyRef: 'IE-1',
      forename: 'Ann',
      surname: 'Sample',
      bank: {},
      setting: { cutOffPoints: { type: 'STANDARD', values: bands(rate) } },
    })
    const { run } = await keeper(stored(0.5), (_, before) => before)
    const file = join(freshHome(), 'bands.json')
    writeFileSync(file, JSON.stringify({ payrollSetting: { cutOffPoints: { values: bands(4) } } }))
    const update = ['candidates', 'update', 'one', '--id', '--ireland', '--incomplete', '--file', file]
    expect((await run(...update)).code).toBe(8)
  })
})
