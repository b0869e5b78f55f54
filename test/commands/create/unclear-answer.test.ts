import { describe, expect, test } from 'vitest'
import { endedWith, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'

const timesheet = {
  ...{ subcontractorRef: 'A-17', assignmentRef: 'JOB-1', taxYear: '2026/27' },
  ...{ startDate: '2026-04-06', endDate: '2026-04-12' },
}
const sets = Object.entries(timesheet).map(([name, value]) => `--set ${name}=${value}`)

/** A create, what it sends as the service shows it later, and the same with another value. */
const creates: readonly [words: string, record: object, changed: object][] = [
  [
    'candidates create --incomplete --set agencyRef=A-17 --set accountNumber=12345678',
    { agencyRef: 'A-17', bank: { accountNumber: '12345678' } },
    { agencyRef: 'A-17', bank: { accountNumber: '87654321' } },
  ],
  [
    'candidates create --incomplete --ireland --set agencyRef=A-17 --set city=Cork',
    { agencyRef: 'A-17', city: 'Cork' },
    { agencyRef: 'A-17', city: 'Galway' },
  ],
  [
    'payment-rates create --set code=NIGHT --set hoursPerUnit=7.5',
    { code: 'NIGHT', hoursPerUnit: '7.50' },
    { code: 'NIGHT', hoursPerUnit: '8' },
  ],
  [`timesheets create ${sets.join(' ')}`, timesheet, { ...timesheet, taxYear: '2025/26' }],
  [
    'documents create --employee id:e1 --set name=scan.png --set description=Passport',
    { name: 'scan.png', description: 'Passport' },
    { name: 'scan.png', description: 'Payslip' },
  ],
]

/** Runs a create that is answered with damaged JSON, where the list has these records then, and before it where they are old. */
async function createUnclearly(words: string, ...records: readonly object[]) {
  return createWith(words, { records, isOld: false })
}

async function createWith(
  words: string,
  { records, isOld }: { readonly records: readonly object[]; readonly isOld: boolean },
) {
  const { env, received } = await service(({ method, url }, response) => {
    const [path = ''] = url.split('?')
    const isSent = received.some((each) => each.method === 'POST')
    if (method === 'GET' && !isSent && !isOld) return answerJson(response, 200, { data: [], totalDocs: 0 })
    if (method === 'POST') return void response.writeHead(200).end('{"success":true,')
    const one = records.find((record) => 'id' in record && path.endsWith(`/${record.id}`))
    if (one) return answerJson(response, 200, { data: one, success: true })
    answerJson(response, 200, { data: records, totalDocs: records.length })
  })
  const run = await payroll(['--json', ...words.split(' ')], { env })
  return { ...run, posts: received.filter(({ method }) => method === 'POST').length }
}

describe.each(creates)('%s, answered unclearly', (words, record, changed) => {
  const one = { id: 'x1', ...record }

  // interface.md shows no record for a UK create.
  test('is done where the record is there, once, with what was sent', async () => {
    const run = await createUnclearly(words, { id: 'x0' }, one)
    const printed = /^candidates(?!.*--ireland)/.test(words) ? { created: true, id: 'x1' } : one
    const unclear = { path: '', message: expect.stringContaining('the answer was unclear') }
    const warnings = expect.arrayContaining([unclear])
    expect([run.json(), run.posts]).toMatchObject([{ ...printed, warnings }, 1])
    expect(run).toMatchObject(endedWith(0, 'the answer was unclear'))
    const was = ', once, with what was sent: it was created now, or was there before'
    expect(run.err).toContain(was)
  })

  test.runIf(words.startsWith('candidates'))(
    'is done without a doubt where --unique had just found nobody',
    async () => {
      const run = await createUnclearly(`${words} --unique`, { id: 'x0' }, one)
      expect([run.code, run.posts]).toEqual([0, 1])
      expect(run.err).toContain('is there, once, with what was sent')
      expect(run.err).not.toContain('was there before')
    },
  )

  test('is open where the record that is there has another value: it may be an older one', async () => {
    const run = await createUnclearly(words, { id: 'x1', ...changed })
    expect([run.code, run.out, run.posts]).toEqual([8, '', 1])
    const issues = [{ message: expect.stringContaining('→') }]
    const message = expect.stringContaining('is there, but with other values')
    expect(run.error()).toMatchObject({ outcome: 'unknown', message, issues })
    expect(run.err).not.toContain('87654321')
  })

  test('is open where two records are there', async () => {
    const run = await createUnclearly(words, one, { ...one, id: 'x2' })
    expect([run.code, run.out, run.error().message]).toEqual([
      8,
      '',
      expect.stringContaining('2 records are '),
    ])
  })

  test('is open where the list does not show it, which is looked at twice', async () => {
    const run = await createUnclearly(words, { id: 'x0' })
    expect([run.code, run.out, run.posts, run.pauses]).toEqual([8, '', 1, [2000]])
    expect(run.error().message).toMatch(/It was looked for twice: the list does not show .*\.$/)
  })
})

test('a person whose city the service keeps in capitals was created, and the difference is said', async () => {
  const words = 'candidates create --incomplete --ireland --set agencyRef=A-17 --set city=Cork'
  const run = await createUnclearly(words, { id: 'x1', agencyRef: 'A-17', city: 'CORK' })
  expect([run.code, run.json()]).toMatchObject([0, { id: 'x1', city: 'CORK' }])
  expect(run.err).toContain('generalSetting.city: Cork → CORK')
})

test('a timesheet that was there before it was sent is not the one that was created, whatever its hours are', async () => {
  const words = `timesheets create ${sets.join(' ')}`
  const run = await createWith(words, { records: [{ id: 'x1', ...timesheet }], isOld: true })
  expect([run.code, run.out, run.posts]).toEqual([8, '', 1])
  const message = expect.stringContaining('looked for twice: the list does not show another A-17')
  expect(run.error()).toMatchObject({ outcome: 'unknown', message })
  const both = [
    { id: 'x1', ...timesheet },
    { id: 'x2', ...timesheet },
  ]
  const { env, received } = await service(({ method }, response) => {
    if (method === 'POST') return void response.destroy()
    const data = received.some((each) => each.method === 'POST') ? both : both.slice(0, 1)
    answerJson(response, 200, { data, totalDocs: data.length })
  })
  const found = await payroll([...words.split(' '), '--json'], { env })
  expect([found.code, found.json()]).toMatchObject([0, { id: 'x2' }])
})

describe('a plain no inside of a 2xx', () => {
  const [id, sent] = ['x1', { agencyRef: 'A-17', city: 'Leeds' }]
  test.each<[string, string, readonly object[] | number]>([
    ['refused', 'Nothing was applied.', []],
    ['refused', 'Nothing was applied.', [{ id, ...sent, city: 'York' }]],
    ['refused', 'Nothing was applied.', 500],
    [
      'applied',
      'A-17 is there, once, with what was sent: it was created now, or was there',
      [{ id, ...sent }],
    ],
  ])('to candidates create is %s (%s) where the list has %j', async (outcome, says, list) => {
    const { env, received } = await service(({ method, url }, response) => {
      if (method === 'POST') return answerJson(response, 200, { success: false })
      if (typeof list === 'number') return answerJson(response, list, {})
      answerJson(
        response,
        200,
        url.includes('/x1') ? { data: list[0] } : { data: list, totalDocs: list.length },
      )
    })
    const words = 'candidates create --incomplete --set agencyRef=A-17 --set city=Leeds --json'
    const run = await payroll(words.split(' '), { env })
    expect(run).toMatchObject(endedWith(outcome === 'applied' ? 0 : 6, says))
    if (outcome !== 'applied') expect([run.out, run.error().outcome]).toEqual(['', outcome])
    expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
})

const page = (...data: object[]) => [200, { data, totalDocs: data.length }] as const
const gone = [404, {}] as const
const there = [200, { data: { id: 'd1' } }] as const
const [no, unclear] = ['{"success":false}', '{"deleted":']

describe('documents delete, answered with a plain no or unclearly', () => {
  /** The document, and the list, are shown so afterwards. */
  async function answered(answer: string, one: readonly [number, unknown], list: readonly [number, unknown]) {
    const { env } = await service(({ method, url }, response) => {
      if (method === 'DELETE') return void response.writeHead(200).end(answer)
      answerJson(response, ...(url.split('?')[0]?.endsWith('/d1') ? one : list))
    })
    return payroll('--json documents delete d1 --id --employee id:e1 --yes'.split(' '), { env })
  }

  test.each([
    [no, 'it is still there', there, page({ id: 'd1' }), 6, 'refused', 'Nothing was applied.'],
    [unclear, 'it is still there', there, page(), 8, 'unknown', 'it is still there'],
    [unclear, 'the list still has it', gone, page({ id: 'd1' }), 8, 'unknown', 'it is still in the list'],
    [unclear, 'no path is right', gone, gone, 8, 'unknown', 'did not show whether it is there (404)'],
    [unclear, 'all fails', [500, {}], [500, {}], 8, 'unknown', 'did not show whether it is there (500)'],
  ] as const)('documents delete answered %s, where %s', async (answer, _, one, list, code, outcome, says) => {
    const run = await answered(answer, one, list)
    expect(run).toMatchObject({ ...endedWith(code, says), out: '' })
    expect(run.error().outcome).toBe(outcome)
    const hint = 'To check whether it still exists: payroll documents get d1 --employee e1'
    if (code === 8) expect(run.error().hint).toBe(hint)
  })

  test.each([unclear, no])(
    '%s, is done where neither the document nor its line in the list is there',
    async (answer) => {
      const run = await answered(answer, gone, page({ id: 'd2' }))
      expect(run).toMatchObject(endedWith(0, 'it is gone'))
      expect(run.json()).toEqual({ deleted: true, id: 'd1' })
    },
  )
})
