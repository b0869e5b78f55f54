import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'
import { keepingPeople } from '../people-service.ts'
import { answerJson, service } from '../service.ts'

/** A service that creates and then fails, while `fails`. */
async function office() {
  const faults = { fails: true, isLate: false }
  const { env, people } = await keepingPeople(undefined, undefined, faults)
  const home = freshHome()
  const csv = join(home, 'people.csv')
  const save = (...rows: string[]) =>
    writeFileSync(csv, `agencyRef,forename,surname,DOB,city\n${rows.join('\n')}\n`)
  const run = (...words: string[]) => payroll(['candidates', ...words, '--yes', '--json'], { home, env })
  return {
    home,
    env,
    csv,
    people,
    faults,
    save,
    run,
    night: () => run('import', csv, '--update', '--settle', '0', '--concurrency', '1'),
  }
}

describe('a record that was found again after its answer was lost', () => {
  test('is known as after a clean answer: an import changes it the next night', async () => {
    const { faults, save, night, people } = await office()
    save('UK-1,Ann,Sample,1990-01-02,Leeds')
    expect((await night()).json()).toMatchObject({ created: 1 })
    faults.fails = false
    save('UK-1,Ann,Sample,1990-01-02,York')
    const { code, json, err } = await night()
    expect([code, json()], err).toMatchObject([0, { updated: 1 }])
    expect(people[0].generalSetting.city).toBe('York')
  })

  test('is known so after a create by itself', async () => {
    const { faults, run } = await office()
    const sets = ['agencyRef=UK-1', 'forename=Ann', 'surname=Sample'].flatMap((each) => ['--set', each])
    const created = await run('create', ...sets, '--quiet')
    expect([created.code, created.err]).toEqual([0, ''])
    expect(created.json().warnings).toEqual([
      {
        path: '',
        message: expect.stringContaining('the answer was unclear, so a UK candidate was looked for'),
      },
    ])
    faults.fails = false
    expect(await run('update', 'UK-1', '--set', 'city=York')).toMatchObject({ code: 0 })
  })
})

test('an import holds the row of a record of which nobody knows what the service hides, and the others go on', async () => {
  const { faults, people, save, night, home, env, csv } = await office()
  faults.fails = false
  save('UK-1,Ann,Sample,1990-01-02,Leeds')
  await night()
  // Made by another computer.
  const others = ['2', '3'].map((at) => [`UK-${at}`, `Bob${'b'.repeat(Number(at))}`, 'Test'] as const)
  for (const [agencyRef, forename, surname] of others)
    people.push({ generalSetting: { ...people[0].generalSetting, agencyRef, forename, surname } })
  save(...others.map((each) => `${each.join()},1990-01-02,York`), 'UK-1,Ann,Sample,1990-01-02,York')
  const words = ['candidates', 'import', csv, '--update', '--dry-run', '--output', 'table']
  const preview = (await payroll(words, { home, env })).out.replaceAll(/\s+/g, ' ')
  expect(preview.match(/they are empty, or it hides them/g)).toHaveLength(1)
  expect(preview).toContain('--allow-missing')
  expect(preview).toContain('row 2 "UK-2", row 3 "UK-3"')
  const { code, json, err, error } = await night()
  expect([code, json()], err).toMatchObject([9, { updated: 1, held: 2 }])
  expect(people.map(({ generalSetting }) => generalSetting.city)).toEqual(['York', 'Leeds', 'Leeds'])
  const [first, second] = error().issues
  expect(first.message).toMatch(/they are empty, or it hides them.*--allow-missing/)
  // One sentence, so that it is printed once for all rows.
  expect(second.message).toBe(first.message)
})

test.each([true, false])(
  'an import does not create again whom a create sent a moment ago, which the list does not show yet (answer lost: %s)',
  async (fails) => {
    const { faults, save, run, night, people } = await office()
    Object.assign(faults, { fails, isLate: true })
    await run(
      'create',
      ...['agencyRef=UK-1', 'forename=Ann', 'surname=Sample'].flatMap((each) => ['--set', each]),
    )
    save('UK-1,Ann,Sample,1990-01-02,Leeds')
    const { code, json, error } = await night()
    expect([code, json(), people.length]).toMatchObject([9, { created: 0, held: 1 }, 1])
    expect(error().issues[0].message).toContain(
      `UK-1 ${fails ? 'may have been' : 'was'} created from this computer`,
    )
    Object.assign(faults, { fails: false, isLate: false })
    expect([(await night()).json(), people.length]).toMatchObject([{ created: 0 }, 1])
  },
)

test.each([
  {
    resource: 'timesheets',
    record: {
      subcontractorRef: 'UK-1',
      startDate: '2026-04-06',
      endDate: '2026-04-12',
      rates: [{ rateId: 'R-1', rate: '17.30', units: '38' }],
    },
    name: 'UK-1, week ending 12 April 2026',
  },
  {
    resource: 'payment-rates',
    record: { code: 'TEST', description: 'Test rate', type: 'HOURLY', units: 'HOURS' },
    name: 'TEST',
  },
])('nor does it create one of the $resource again', async ({ resource, record, name }) => {
  const created: any[] = []
  const { env } = await service(({ method, url, body }, response) => {
    if (method === 'POST') created.push(JSON.parse(body))
    if (method === 'POST') return answerJson(response, 201, { data: { id: 'X-1' }, success: true })
    // Who is paid at which rate is listed; what was just created is not yet.
    const others = url.includes('payment-rate') ? [{ id: 'R-1', code: 'STD' }] : []
    const people = /candidates\b(?!\/)/.test(url) ? [{ id: 1, agencyRef: 'UK-1', surname: 'Sample' }] : []
    const data = [...others, ...people]
    answerJson(response, 200, { data, totalDocs: data.length })
  })
  const home = freshHome()
  const rows = join(home, 'rows.ndjson')
  writeFileSync(rows, `${JSON.stringify(record)}\n`)
  const run = (...words: string[]) => payroll([resource, ...words, '--yes', '--json'], { home, env })
  const first = await run('create', '--file', rows)
  expect([first.code, created.length], first.err).toEqual([0, 1])
  const { code, json, err, error } = await run('import', rows, '--settle', '0')
  expect([code, json(), created.length], err).toMatchObject([9, { created: 0, held: 1 }, 1])
  expect(error().issues[0].message).toContain(`${name} was created from this computer`)
})

describe('with --quiet', () => {
  test('a write that was done has what was made clear in its answer, and nothing on standard error', async () => {
    const { faults, run, people } = await office()
    faults.fails = false
    const sets = ['agencyRef=UK-1', 'forename=Ann', 'surname=Sample', 'city=Leeds']
    await run('create', ...sets.flatMap((each) => ['--set', each]))
    faults.fails = true
    const updated = await run('update', 'UK-1', '--set', 'city=York', '--quiet')
    expect([updated.code, updated.err, people[0].generalSetting.city]).toEqual([0, '', 'York'])
    expect(updated.json().warnings).toContainEqual({
      path: '',
      message: 'the answer was unclear; the record was read again and has the change.',
    })
  })
})
