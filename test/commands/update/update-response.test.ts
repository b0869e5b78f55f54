import { describe, expect, test } from 'vitest'
import { type Behaviour, updateOne } from './one-record.ts'

const rate = { id: 'r1', code: 'NIGHT', description: 'Night', hoursPerUnit: '7.5' }
const nights = 'payment-rates update r1 --set description=Nights'
const both = `${nights} --set code=N2`
const after = { ...rate, description: 'Nights' }
const other = { ...rate, description: 'NIGHTS' }
const third = { ...rate, description: 'Days' }

const person = {
  ...{ id: 'c1', surname: 'Lee', NINumber: null, DOB: null },
  bank: { accountNumber: '31926819', sortCode: '601613', IBANReference: null },
  setting: { taxCode: '1257L', ppsNumber: null },
}
const smith = 'candidates update c1 --set generalSetting.surname=Smith'
/** Its account number stands in two places. */
const odd = { ...person, surname: 'Smith', bankSetting: { accountNumber: '00000000' } }

const set = 'candidates update c1 --ireland --set'
const optIn = 'generalSetting.pensionSetting.optInDate'
const lpt = 'payrollSetting.totalLPTToBeDeducted'
const [long, longer] = ['9007199254740992', '9007199254740993']
const taxedBy = (totalLPTToBeDeducted: string) => ({ setting: { ...person.setting, totalLPTToBeDeducted } })
const taxed = { ...person, pensionSetting: {}, ...taxedBy(long) }
const joined = { ...person, pensionSetting: { optInDate: '2026-07-01' } }
const sheet = { id: 'x1', taxYear: 2026, rates: [] }
const paper = { id: 'x1', name: 'a.txt', content: 'QQ==', size: 1 }

/** What was asked for, and what was found in its place, by the field. */
type Missing = Readonly<Record<string, string>>
const night: Missing = { description: 'not stored (asked for → still there): Nights → Night' }
const code: Missing = { code: 'not stored (asked for → still there): N2 → NIGHT' }

/** An update with --json that is exit 8: what it says, and what to do. */
async function unclear(words: string, behaviour: Behaviour, missing: Missing) {
  const { run, puts } = await updateOne(`${words} --json`, behaviour)
  expect([run.code, run.out, puts.length]).toEqual([8, '', 1])
  const { message, hint, issues, status, ...error } = run.error()
  expect(error).toMatchObject({ code: 'unknown', outcome: 'unknown' })
  expect(issues).toEqual(Object.entries(missing).map(([path, message]) => ({ path, message })))
  return { message, hint, status }
}

test.each<[what: string, words: string, reads: unknown[], answer: unknown, missing: Missing, says?: string]>([
  ['the old record, and still has it,', nights, [rate], rate, night],
  ['the request itself', nights, [rate], { ...after, id: undefined }, night],
  ['what was asked, and does not have it,', nights, [rate], other, night],
  ['nothing', nights, [rate], undefined, night],
  ['no record', nights, [rate], { message: 'queued' }, night],
  ['the old record, and cannot be read again,', nights, [rate, rate, undefined], rate, night],
  [
    'one change of two',
    both,
    [rate, rate, after],
    after,
    code,
    '1 of 2 fields do not have what was asked for',
  ],
  [
    'a number that differs in its last digit only',
    `${set} ${lpt}=${longer}`,
    [taxed],
    taxed,
    { [lpt]: `not stored (asked for → still there): ${longer} → ${long}` },
  ],
  [
    'another day than that of the timestamp',
    `${set} ${optIn}=2026-07-08T09:30:00.000Z`,
    [joined],
    joined,
    { [optIn]: 'not stored (asked for → still there): 2026-07-08T09:30:00.000Z → 2026-07-01T00:00:00.000Z' },
  ],
  [
    'an old timesheet',
    'timesheets update x1 --set taxYear=2027',
    [sheet],
    sheet,
    { taxYear: 'not stored (asked for → still there): 2027 → 2026' },
  ],
  [
    'an old document',
    'documents update x1 --employee e1 --set name=b.txt',
    [paper],
    paper,
    { name: 'not stored (asked for → still there): b.txt → a.txt' },
  ],
])('an update answered with %s is exit 8: %s', async (...row) => {
  const [answered, words, reads, answer, missing, says = 'it has none of what was asked for'] = row
  const { message, hint, status } = await unclear(words, { reads, answer: () => answer }, missing)
  expect(status).toBe(answer === undefined ? 204 : 200)
  const [, , id] = words.split(' ')
  const seen = answered.endsWith('cannot be read again,')
    ? 'could not be read again afterwards (500); as it was answered, '
    : 'was read again: '
  const text = `The service answered ${status}. ${id} ${seen}${says}. It may or may not have been applied.`
  expect(message).toBe(text)
  const get = words.replace(' update', ' get').split(' --set')[0]
  expect(hint).toBe(`Do not run it again before you have checked the record: payroll ${get}`)
})

test.each<[where: string, words: string, held: unknown, says: string, missing: Missing]>([
  [
    'has one change of two',
    both,
    after,
    'was read again: 1 of 2 fields do not have what was asked for',
    code,
  ],
  [
    'has neither change',
    both,
    rate,
    'was read again: it has none of what was asked for',
    { ...code, ...night },
  ],
  [
    'has another value than was asked',
    nights,
    third,
    'was read again: 1 of 1 fields do not have what was asked for',
    { description: 'stored differently: Nights → Days' },
  ],
  ['cannot be read again', nights, undefined, 'could not be read again afterwards (500)', {}],
  [
    'has a part without a certain place, although the rest holds the change',
    smith,
    odd,
    'came back in a form that cannot be compared with what was sent',
    {},
  ],
  [
    'does not show what was changed',
    `${set} generalSetting.department=X`,
    { ...person, pensionSetting: {} },
    'was read again: the service does not show all that was asked for',
    { 'generalSetting.department': 'asked for, and not shown' },
  ],
])('an update whose answer was lost is exit 8 where the record %s', async (_, words, held, says, missing) => {
  const [, , id] = words.split(' ')
  const before = id === 'r1' ? rate : { ...person, pensionSetting: {} }
  for (const isLost of [true, 'body'] as const) {
    const reads = [before, before, held]
    const { message, hint, status } = await unclear(words, { reads, isLost }, missing)
    const head = isLost === 'body' ? ' (200)' : ''
    const lost = `The connection was lost before the whole answer arrived${head}.`
    const may = 'It may or may not have been applied.'
    expect([message, status]).toEqual([`${lost} ${id} ${says}. ${may}`, head ? 200 : null])
    const get = words.replace(' update', ' get').split(' --set')[0]
    expect(hint).toBe(`Do not run it again before you have checked the record: payroll ${get}`)
  }
})

test('an update whose answer was lost is done where the service keeps what was sent in capitals', async () => {
  const { run } = await updateOne(`${nights} --json`, { reads: [rate, rate, other], isLost: true })
  expect([run.code, run.json().description]).toEqual([0, 'NIGHTS'])
  expect(run.err).toContain('the record was read again and has the change')
})

test('an update that leaves the old account number is exit 8, and masks both unless --reveal is given', async () => {
  const argv = 'candidates update c1 --set bankSetting.accountNumber=55779911'
  const masked = await updateOne(argv, { reads: [person], answer: () => person })
  expect([masked.run.code, masked.run.err]).toEqual([
    8,
    expect.stringContaining('still there): ******911 → ******819'),
  ])
  expect(masked.run.out + masked.run.err).not.toMatch(/31926819|55779911/)
  const shown = await updateOne(`${argv} --reveal`, { reads: [person], answer: () => person })
  expect(shown.run.err).toContain('not stored (asked for → still there): 55779911 → 31926819')
})

describe('an update is done', () => {
  const bare = { id: 'r1', code: 'NIGHT' }
  const changed = { id: 'r1', description: 'Nights' }
  const cleared = { ...person, surname: 'Smith', bank: { sortCode: '601613' } }
  const scheme = `--ireland --set generalSetting.pensionSetting.scheme=Example --set`
  const approve = 'payrollSetting.payrollApproveNeeded'
  const approved = { ...joined, surname: 'Smith', setting: { ...person.setting, payrollApproveNeeded: true } }

  const differently =
    'the service stored these fields differently from what was sent:\nNote:   description: Nights → NIGHTS'
  const unasked =
    'the service changed these fields although you did not ask for it:\nNote:   bankSetting.accountNumber: '
  const uncompared = 'came back in a form that cannot be compared with what was sent'
  const unread = 'the record was updated, but could not be read again afterwards (500).'
  const unsure = 'the answer was unclear'
  const again = 'the record was read again and has the change.'
  /** What each of the notes above has, and no other. */
  const marks = ['differently', 'although you did not ask', 'cannot be compared', 'could not be read again']

  type Answer = Pick<Behaviour, 'isLost' | 'status'> & { readonly data?: object }
  test.each<
    [where: string, words: string, answer: Answer, held: object | undefined, says: string, was?: object]
  >([
    ['is answered with the old record', nights, { data: rate }, after, 'Updated a payment rate'],
    ['holds another value than was asked', `${nights} --quiet`, { data: other }, other, differently],
    [
      'has lost what nobody named',
      `${smith} --quiet`,
      { data: cleared },
      cleared,
      `${unasked}******819 → (not set)`,
    ],
    [
      'has lost that (--reveal)',
      `${smith} --reveal`,
      { data: cleared },
      cleared,
      `${unasked}31926819 → (not set)`,
    ],
    ['has a part in two places', smith, { data: person }, odd, uncompared],
    [
      'cannot be compared in part',
      `${smith} ${scheme} ${approve}=Required`,
      { data: approved },
      approved,
      `cannot be compared: generalSetting.pensionSetting.scheme, ${approve}.\n`,
      joined,
    ],
    ['cannot be read, and is answered with nothing', nights, {}, undefined, unread],
    ['cannot be read, and is answered with the change', nights, { data: changed }, undefined, unread],
    ['cannot be read, and is answered with one change of two', both, { data: changed }, undefined, unread],
    [
      'cannot be read, and is answered without the new value',
      nights,
      { data: bare },
      undefined,
      unread,
      bare,
    ],
    [
      'has every change, its answer lost',
      both,
      { isLost: true },
      { ...after, code: 'N2' },
      `the answer was lost; ${again}`,
    ],
    ['has the change, its answer a 500', nights, { data: {}, status: 500 }, after, `${unsure}; ${again}`],
  ])('where the record %s (%s)', async (_, words, { data, ...answer }, held, says, was) => {
    const before = was ?? (words.startsWith('candidates') ? person : rate)
    const { run, puts } = await updateOne(words, {
      reads: [before, before, held],
      answer: () => data,
      ...answer,
    })
    expect([run.code, run.json(), puts.length]).toMatchObject([
      0,
      held ?? data ?? { updated: true, id: 'r1' },
      1,
    ])
    expect(run.err).toContain(says)
    const noted = marks.filter((mark) => run.err.includes(mark))
    expect(noted).toEqual(marks.filter((mark) => says.includes(mark)))
  })

  test.each<[what: string, words: string, answer: object, was?: object]>([
    ['all of it', smith, { surname: 'Smith' }],
    [
      'a date for a timestamp',
      `${set} ${optIn}=2026-07-08T09:30:00.000Z`,
      { pensionSetting: { optInDate: '2026-07-08' } },
    ],
    [
      'a date for the timestamp of a UK person',
      `${smith} --set ${optIn}=2026-07-08`,
      { surname: 'Smith', pensionSetting: { optInDate: '2026-07-08' } },
    ],
    [
      'the same time in other letters',
      `${smith} --set ${optIn}=2026-07-08T09:30:00.000Z`,
      { surname: 'Smith', pensionSetting: { optInDate: '2026-07-08T10:30:00+01:00' } },
    ],
    [
      'the midnight of London for a day',
      `${smith} --set ${optIn}=2026-07-08`,
      { surname: 'Smith', pensionSetting: { optInDate: '2026-07-07T23:00:00Z' } },
    ],
    ['a decimal with other zeros', `${set} ${lpt}=90.50`, taxedBy('90.5')],
    ['a long decimal with other zeros', `${set} ${lpt}=${longer}.50`, taxedBy(`${longer}.5`)],
    ['nothing for what was emptied', `${set} generalSetting.county=`, { county: null }, { county: 'Cork' }],
  ])('where the answer shows %s, without being read again', async (_, words, answer, was) => {
    const before = { ...person, pensionSetting: {}, ...was }
    const { run, gets } = await updateOne(words, {
      reads: [before],
      answer: () => ({ ...before, ...answer }),
    })
    expect([run.code, gets]).toEqual([0, 2])
  })
})

test('an update that was refused is exit 6, and not looked for', async () => {
  const refusing: Behaviour = { reads: [rate, rate, after], answer: () => ({}), status: 422 }
  const { run, gets } = await updateOne(`${nights} --json`, refusing)
  expect([run.code, run.error().outcome, gets]).toEqual([6, 'refused', 2])
})

test.each([
  ['timesheets update x1 --set taxYear=2027', { timesheet: { taxYear: 2026 } }],
  ['payment-rates update x1 --set code=A', { rate: { code: 'B' } }],
])('%s is exit 10 and sends nothing of a record in a wrapper', async (words, record) => {
  const { run, puts } = await updateOne(words, { reads: [{ id: 'x1', ...record }] })
  expect([run.code, puts]).toEqual([10, []])
})
