import { describe, expect, test } from 'vitest'
import { payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'

const ann = { id: '1', agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample' }
const ben = { id: '2', agencyRef: 'UK-2', forename: 'Ben', surname: 'Sample' }
const other = { id: '3', agencyRef: 'UK-3', forename: 'Ann', surname: 'Sample' }

const slip = (id: string, of: Record<string, string>) => ({ id, taxYear: '2026/27', taxPeriod: 1, ...of })
const named = [slip('a', { subcontractorName: 'Ann Sample' }), slip('b', { subcontractorName: 'Ben Sample' })]

/** The payslips that a command finds, of a service with these people and payslips. */
async function listed(
  words: string | readonly string[],
  people: readonly object[],
  payslips: readonly object[],
) {
  const { env } = await service(({ url }, response) => {
    const items = url.includes('payslips') ? payslips : url.includes('ireland') ? [] : people
    answerJson(response, 200, { data: items, totalDocs: items.length })
  })
  return payroll(['payslips', ...(typeof words === 'string' ? words.split(' ') : words)], { env })
}

describe('payroll payslips list <person>', () => {
  test.each([
    ['the reference', ['uk-1']],
    ['the name', ['Ann', 'Sample']],
    ['the name in one word of the shell', ['Ann Sample']],
    ['the name as on a form', ['SAMPLE, Ann']],
    ['a part of the name that one person has', ['ann']],
  ])('finds a person by %s', async (_, words) => {
    const { code, json, err } = await listed(['list', ...words], [ann, ben], named)
    expect([code, json(), err]).toMatchObject([
      0,
      [{ id: 'a' }],
      expect.stringContaining('of the name Ann Sample'),
    ])
  })

  test('holds payslips that show a reference against that, and says nothing of names', async () => {
    const subcontractorName = 'Ann Sample'
    const slips = [
      slip('a', { subcontractorName, subcontractorRef: 'UK-1' }),
      slip('b', { subcontractorName, subcontractorRef: 'UK-3' }),
    ]
    const { code, json, err } = await listed('list UK-1', [ann, other], slips)
    expect([code, json(), err]).toMatchObject([0, [{ id: 'a' }], ''])
  })

  test('reads the legacy list too', async () => {
    const slips = [slip('a', { subcontractor: 'Ann Sample' }), slip('b', { subcontractor: 'Ben Sample' })]
    const { json } = await listed('list UK-2 --legacy', [ann, ben], slips)
    expect(json()).toMatchObject([{ id: 'b' }])
  })

  test.each([
    ['--limit 1', 'a'],
    ['--where id=c', 'c'],
  ])('goes together with %s', async (words, id) => {
    const slips = [...named, slip('c', { subcontractorName: 'Ann Sample' })]
    expect((await listed(`list UK-1 ${words}`, [ann, ben], slips)).json()).toMatchObject([{ id }])
  })

  test.each([
    ['several people fit it', [ann, ben], 'sample', 2, 'Ann Sample (UK-1), Ben Sample (UK-2)'],
    ['two people have the whole name and payslips show no reference', [ann, other], 'UK-1', 2, 'UK-3'],
    ['nobody fits it', [ann, ben], 'cara', 5, 'Nobody has the reference or the name cara'],
    ['one page is asked for', [ann, ben], 'UK-1 --page 1', 2, 'cannot be combined with --page'],
  ])('lists nothing where %s', async (_, people, words, exit, says) => {
    const { code, out, err } = await listed(`list ${words}`, people, named)
    expect([code, out, err]).toEqual([exit, '', expect.stringContaining(says)])
  })
})

test('payroll payslips export <person> writes the payslips of that person alone', async () => {
  const { code, out } = await listed('export UK-1', [ann, ben], named)
  expect([code, out]).toEqual([0, 'id,taxYear,taxPeriod,subcontractorName\na,2026/27,1,Ann Sample\n'])
})

test('payroll payslips export <person> is exit 2 with --since-last, which remembers the payslips of everybody', async () => {
  const { code, out, err } = await listed('export UK-1 --since-last nightly', [ann, ben], named)
  expect([code, out, err]).toEqual([2, '', expect.stringContaining('--since-last')])
})
