import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { office } from './office.ts'
import { hiddenFields } from './service.ts'

/** The fields that differ between two bodies: `generalSetting.city`. */
function differing(one: any, other: any, path = ''): string[] {
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object')
    return one === other ? [] : [path]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) => differing(one[name], other[name], path ? `${path}.${name}` : name))
}

/** The service has moved on from ONGOING by itself, and a change leaves it so. */
const movedOn = 'generalSetting.registrationStatus'

const counts = {
  rows: 1,
  created: 0,
  createdEarlier: 0,
  updated: 0,
  updatedEarlier: 0,
  unchanged: 0,
  held: 0,
}

describe.each([
  ['examples/candidate-uk.json', 'EXAMPLE-UK-1', [], 'uk'],
  ['examples/candidate-ireland.json', 'EXAMPLE-IE-1', ['--ireland'], 'ireland'],
] as const)('the person of %s on a third service', (file, reference, country, kind) => {
  const example = () => JSON.parse(readFileSync(file, 'utf8'))

  async function withPerson() {
    const at = await office()
    const words = ['candidates', 'create', '--file', file, ...country, '--yes', '-q', '--find']
    const made = await at.run([...words, '--query', 'id', '-r'])
    expect([made.code, made.out]).toEqual([0, 'new-1\n'])
    const stored = () => at.people.get('new-1')?.body
    const update = (...set: string[]) =>
      at.run(['candidates', 'update', reference, ...country, ...set, '--yes', '-q', '--json'])
    return { ...at, stored, update }
  }

  test('is created as it was given, found by reference and by name, and updated in one field', async () => {
    const { run, stored, update, writes } = await withPerson()
    expect(stored()).toEqual(example())
    for (const text of [reference, example().generalSetting.surname]) {
      const found = await run(['candidates', 'find', text, ...country, '--json'])
      expect([found.code, found.json()[0].id]).toEqual([0, 'new-1'])
    }
    const changed = await update('--set', 'city=Bath')
    expect([changed.code, changed.json().city]).toEqual([0, 'Bath'])
    expect(changed.err).not.toMatch(/nothing shows|allow-missing/)
    expect(writes()).toHaveLength(2)
    const [made, sent] = writes().map(({ body }) => body)
    expect(differing(made, sent).sort()).toEqual(['generalSetting.city', movedOn])
  })

  test('is put back by undo --last and by undo --run, and by nothing else', async () => {
    const { run, stored, update } = await withPerson()
    await update('--set', 'city=Bath')
    const undone = await run(['undo', '--last', '--yes', '-q', '--json'])
    expect([undone.code, undone.json().undone, differing(stored(), example())]).toEqual([0, 1, [movedOn]])
    await update('--set', 'city=Bath', '--set', 'hours=20')
    const written = await run(['history', '--limit', '1', '--query', '[0].run', '-r'])
    const again = await run(['undo', '--run', written.out.trim(), '--yes', '-q', '--json'])
    expect([again.code, again.json()]).toMatchObject([0, { rows: 1, undone: 1 }])
    expect(differing(stored(), example())).toEqual([movedOn])
  })

  test('is exported and imported again on three nights: nothing, nothing, and the one field that was changed', async () => {
    const { run, home, writes } = await withPerson()
    const csv = join(home, 'staff.csv')
    const listed = ['candidates', 'list', ...country, '--where', `agencyRef=${reference}`]
    expect((await run([...listed, '--out', csv])).code).toBe(0)
    const nightly = () => run(['candidates', 'import', csv, ...country, '--update', '--yes', '-q', '--json'])
    for (const _ of ['first', 'second']) {
      const night = await nightly()
      expect([night.code, night.json(), night.err]).toMatchObject([0, { ...counts, unchanged: 1 }, ''])
      expect(writes()).toHaveLength(1)
    }
    writeFileSync(csv, readFileSync(csv, 'utf8').replace(example().generalSetting.jobDescription, 'Foreman'))
    const third = await nightly()
    expect([third.code, third.json()]).toMatchObject([0, { ...counts, updated: 1 }])
    expect(writes()).toHaveLength(2)
    const [made, changed] = writes().map(({ body }) => body)
    expect(differing(made, changed).sort()).toEqual(['generalSetting.jobDescription', movedOn])
    const fourth = await nightly()
    expect([fourth.code, fourth.json(), writes().length]).toMatchObject([0, { ...counts, unchanged: 1 }, 2])
  })

  test('is shown without what the service hides', async () => {
    const { run } = await withPerson()
    const got = await run(['candidates', 'get', reference, ...country, '--json'])
    expect([got.code, kind]).toEqual([0, kind])
    for (const name of hiddenFields) expect(got.out).not.toContain(name)
  })
})

/** Three people as another system exports them every night. */
function hrFile(home: string, city = 'Leeds'): string {
  const file = join(home, 'hr.csv')
  const rows = [
    'Agency ref,Forename,Surname,DOB,NI number,Address,City,Postcode,Start date,Pay frequency,Hourly rate,Hours,Pay method,Sort code,Account number,Account name,Tax code,NI category,Email',
    'HR-1,Ann,Sample,28/02/1990,QQ123456A,1 Example Street,York,YO1 7HH,07/09/2026,Weekly,15.50,37.5,BACS,601613,31926819,A Sample,1257L,A,ann@example.com',
    `HR-2,Bob,Sample,01/03/1991,QQ123456B,2 Example Street,${city},LS1 4AP,07/09/2026,Weekly,16,37.5,BACS,601613,31926820,B Sample,1257L,A,bob@example.com`,
    'HR-3,Cat,Sample,02/04/1992,QQ123456C,3 Example Street,Hull,HU1 1AA,07/09/2026,Weekly,17,37.5,BACS,601613,31926821,C Sample,1257L,A,cat@example.com',
  ]
  writeFileSync(file, `${rows.join('\n')}\n`)
  return file
}

test('the nightly import of a third service says what each night did: created, changed, unchanged', async () => {
  const { run, home, writes } = await office()
  const nightly = async (file: string) => {
    const night = await run([
      ...['candidates', 'import', file, '--update', '--yes', '--date-format', 'dmy', '-q', '--json'],
    ])
    expect([night.code, night.err]).toEqual([0, ''])
    const { rows, created, createdEarlier, updated, updatedEarlier, unchanged } = night.json()
    return { rows, created, updated, unchanged, earlier: createdEarlier + updatedEarlier }
  }
  const none = { rows: 3, created: 0, updated: 0, unchanged: 0, earlier: 0 }
  expect(await nightly(hrFile(home))).toEqual({ ...none, created: 3 })
  expect(await nightly(hrFile(home))).toEqual({ ...none, unchanged: 3 })
  expect(writes()).toHaveLength(3)
  expect(await nightly(hrFile(home, 'Bath'))).toEqual({ ...none, updated: 1, unchanged: 2 })
  expect(await nightly(hrFile(home, 'Bath'))).toEqual({ ...none, unchanged: 3 })
  expect(writes()).toHaveLength(4)
  const [created, changed] = [writes()[1]?.body, writes()[3]?.body]
  expect(differing(created, changed)).toEqual(['generalSetting.city'])
  const results = await run([
    'candidates',
    'import',
    'results',
    join(home, 'hr.csv'),
    '--query',
    '[].outcome',
  ])
  expect(results.json()).toEqual(['unchanged', 'unchanged', 'unchanged'])
})

test('what a third service has is exported and imported again without a change, in pages of fifty', async () => {
  const { run, home, writes } = await office()
  const file = join(home, 'people.csv')
  expect((await run(['candidates', 'export', '--out', file])).code).toBe(0)
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(121)
  const again = await run(['candidates', 'import', file, '--update', '--yes', '--json'])
  expect([again.code, again.json()]).toMatchObject([0, { rows: 120, unchanged: 120 }])
  expect(writes()).toEqual([])
})

test('a field that a third service hides is held once it was sent', async () => {
  const { run, writes } = await office()
  const set = ['--set', 'UTRNo=2234567890', '--set', 'paymentModel=CIS']
  await run(['candidates', 'create', '--file', 'examples/candidate-uk.json', ...set, '--yes', '-q'])
  const held = await run([
    ...['candidates', 'update', 'EXAMPLE-UK-1', '--set', 'city=Bath', '--yes', '--json'],
  ])
  expect([held.code, writes().length]).toEqual([10, 1])
  expect(held.error().issues).toMatchObject([{ path: 'payrollSetting.UTRNo' }])
})

describe('a third service that is busy for ten seconds', () => {
  test('is asked again until it answers, and the whole list is there', async () => {
    const { run } = await office({ busyEvery: 2 })
    const listed = await run(['candidates', 'list', '--json'])
    expect([listed.code, listed.json().length]).toEqual([0, 120])
    expect(listed.pauses.reduce((all, each) => all + each, 0)).toBeGreaterThan(10_000)
    expect(listed.err).toContain('trying again in')
  })

  test('is asked once with --retry-for 0', async () => {
    const { run, received } = await office({ busyEvery: 1 })
    await run(['vat-codes', 'list'])
    const before = received.length
    const refused = await run(['vat-codes', 'list', '--retry-for', '0', '--json'])
    expect([refused.code, refused.error(), received.length - before]).toMatchObject([
      7,
      { code: 'temporary', retryable: true, outcome: null },
      1,
    ])
  })

  test('gets an update once, and the command says what became of it and what to type next', async () => {
    const { run, writes, people } = await office({ people: 4, busyEvery: 2 })
    const before = structuredClone(people.get('old-1')?.body)
    const env = { PAYROLL_EMPTY_FIELDS: 'left-out' }
    const words = ['candidates', 'update', 'old-1', '--id', '--set', 'city=Bath', '--yes', '-q', '--json']
    const refused = await run(words, { env })
    expect([refused.code, writes().length, people.get('old-1')?.body]).toEqual([8, 1, before])
    expect(refused.error()).toMatchObject({ outcome: 'unknown', next: [expect.any(String)] })
  })

  test('does not lose a row of an import', async () => {
    const { run, home, people, writes } = await office({ busyEvery: 9 })
    const file = hrFile(home)
    const imported = await run([
      ...['candidates', 'import', file, '--update', '--yes', '--date-format', 'dmy', '--json'],
    ])
    expect([imported.code, imported.json()], imported.err).toMatchObject([0, { rows: 3, created: 3 }])
    expect([...people.keys()].filter((id) => id.startsWith('new-'))).toHaveLength(3)
    expect(writes().length).toBeGreaterThanOrEqual(3)
  })
})

describe('what is asked of a third service on a payday', () => {
  beforeEach(() => void vi.setSystemTime('2026-11-27T09:00:00Z'))
  afterEach(() => void vi.useRealTimers())

  test('check finds what is wrong with its people, and names them', async () => {
    const { run } = await office()
    const checked = await run(['check', '--json'])
    expect(checked.code).toBe(9)
    const found: any[] = checked.json()
    expect([...new Set(found.map(({ rule }) => rule))].sort()).toEqual([
      ...['never-paid', 'ni-letter', 'payslip-change'],
    ])
    const of = (rule: string) => found.filter((each) => each.rule === rule).map(({ reference }) => reference)
    expect(of('payslip-change')).toEqual(['OLD-002'])
    expect(of('ni-letter')).toEqual(['OLD-039', 'OLD-078', 'OLD-117'])
  })

  test('changes shows what somebody else changed since a mark, and nothing on a quiet day', async () => {
    const { run, people } = await office()
    const since = () => run(['changes', '--mark', 'payday', '--fail-if-changed', '--json'])
    const first = await since()
    expect([first.code, first.json()]).toEqual([0, []])
    const quiet = await since()
    expect([quiet.code, quiet.json()]).toEqual([0, []])
    const body = people.get('old-7')?.body as any
    body.bankSetting.accountNumber = '31926819'
    const changed = await since()
    expect([changed.code, changed.json()]).toMatchObject([9, [{ reference: 'OLD-007' }]])
    expect((await run(['changes', 'marks', '--query', '[].name', '-r'])).out).toContain('payday')
  })

  test('payslips compare names who has more, and who is not paid', async () => {
    const { run } = await office()
    const compared = await run(['payslips', 'compare', '--period', '33', '--with', '32', '--json'])
    expect(compared.code).toBe(0)
    const rows = (compared.json() as any[]).filter(
      ({ state, amount }) => state !== 'same' && amount === 'gross',
    )
    expect(rows).toMatchObject([
      { name: 'Sam Sample C2', state: 'changed', old: 430, new: 900 },
      { name: 'Sam Sample E4', state: 'left', old: 430 },
    ])
  })

  test('timesheets missing names who worked and has none', async () => {
    const { run } = await office({ people: 30 })
    const missing = await run(['timesheets', 'missing', '--week-ending', '2026-11-22', '--uk', '--json'])
    const worked = (missing.json() as any[]).filter(({ lastWorked }) => lastWorked)
    expect([missing.code, worked.map(({ reference }) => reference)]).toEqual([0, ['OLD-004']])
  })
})

test('a reference is looked for until the list of a third service holds still, while others create people', async () => {
  const added: string[] = []
  const { run, people, writes } = await office({
    people: 80,
    busyEvery: 1000,
    onRequest(url) {
      if (!url.includes('page=2') || added.length === 3) return
      added.push(`other-${added.length}`)
      people.set(added.at(-1) as string, { country: 'uk', body: { generalSetting: { surname: 'Other' } } })
    },
  })
  const set = ['agencyRef=W-1', 'forename=Bea', 'surname=Sample'].flatMap((each) => ['--set', each])
  const made = await run(['candidates', 'create', '--incomplete', ...set, '--unique', '--yes', '-q'])
  expect([made.code, writes().length, added.length], made.err).toEqual([0, 1, 3])
})
