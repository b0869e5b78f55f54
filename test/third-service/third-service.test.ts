import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'
import { thirdService } from './service.ts'

async function office(before?: number) {
  const third = await thirdService(before)
  const home = freshHome()
  return { ...third, home, run: (...words: string[]) => payroll(words, { home, env: third.env }) }
}

describe.each([
  ['examples/candidate-uk.json', 'EXAMPLE-UK-1', [], 'Bath'],
  ['examples/candidate-ireland.json', 'EXAMPLE-IE-1', ['--ireland'], 'Cork'],
])(
  '%s on a service that leaves out what is empty, hides two fields and has words of its own',
  (file, reference, country, city) => {
    test('is created, updated, found and put back without a question', async () => {
      const { run, people, writes } = await office()
      const made = await run(
        'candidates',
        'create',
        '--file',
        file,
        ...country,
        '--yes',
        '-q',
        '--find',
        '--query',
        'id',
        '-r',
      )
      const id = made.out.trim()
      expect([made.code, id]).toEqual([0, 'new-121'])
      const changed = await run(
        'candidates',
        'update',
        reference,
        ...country,
        '--set',
        `city=${city}`,
        '--yes',
        '-q',
        '--json',
      )
      expect([changed.code, changed.json().city]).toEqual([0, city])
      expect(changed.err).not.toMatch(/nothing shows|allow-missing/)
      expect(writes()).toHaveLength(2)
      const found = await run('candidates', 'find', reference, ...country, '--json')
      expect([found.code, found.json()[0].id]).toEqual([0, id])
      const history = await run('history', '--json', '--limit', '1')
      const undone = await run('undo', history.json()[0].id, '--yes', '--json')
      expect([undone.code, people.get(id)?.body.generalSetting.city]).toEqual([
        0,
        JSON.parse(readFileSync(file, 'utf8')).generalSetting.city,
      ])
    })
  },
)

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

test('the nightly import ends with 0 on three nights: three people, one changed town, nothing', async () => {
  const { run, home, writes } = await office()
  const nightly = (file: string) =>
    run('candidates', 'import', file, '--update', '--yes', '--date-format', 'dmy', '--json')
  const first = await nightly(hrFile(home))
  expect([first.code, first.err, writes().length]).toEqual([0, expect.any(String), 3])
  const second = await nightly(hrFile(home, 'Bath'))
  expect([second.code, writes().length]).toEqual([0, 4])
  expect(writes().at(-1)).toMatchObject({
    method: 'PUT',
    body: { generalSetting: { city: 'Bath', surname: 'Sample' } },
  })
  const third = await nightly(hrFile(home, 'Bath'))
  expect([third.code, writes().length]).toEqual([0, 4])
})

test('what is exported is imported again without a change, in pages of fifty', async () => {
  const { run, home, writes } = await office()
  const file = join(home, 'people.csv')
  expect((await run('candidates', 'export', '--out', file)).code).toBe(0)
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(121)
  const again = await run('candidates', 'import', file, '--update', '--yes', '--json')
  expect([again.code, again.json()]).toMatchObject([0, { rows: 120, unchanged: 120 }])
  expect(writes()).toEqual([])
})

test('a field that it hides is held once it was sent', async () => {
  const { run, writes } = await office()
  await run(
    'candidates',
    'create',
    '--file',
    'examples/candidate-uk.json',
    '--set',
    'UTRNo=2234567890',
    '--set',
    'paymentModel=CIS',
    '--yes',
    '-q',
  )
  const held = await run('candidates', 'update', 'EXAMPLE-UK-1', '--set', 'city=Bath', '--yes', '--json')
  expect([held.code, writes().length]).toEqual([10, 1])
  expect(held.error().issues).toMatchObject([{ path: 'payrollSetting.UTRNo' }])
})

test.each([
  ['check', ['check', '--json'], [0, 9, 10]],
  ['changes', ['changes', '--json'], [0]],
  ['payslips compare', ['payslips', 'compare', '--period', '33', '--with', '32', '--json'], [0, 5, 10]],
  ['timesheets missing', ['timesheets', 'missing', '--week-ending', '2026-11-22', '--json'], [0, 9]],
])('%s reads it to its end', async (_, words, codes) => {
  const { run, received } = await office()
  const { code, err } = await run(...words)
  expect(codes, err).toContain(code)
  expect(received.some(({ url }) => url.includes('page=3')) || words[0] === 'payslips').toBe(true)
})
