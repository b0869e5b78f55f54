import { describe, expect, test } from 'vitest'
import { payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'

const ann = { id: '1', agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample' }
const ben = { id: '2', agencyRef: 'UK-2', forename: 'Ben', surname: 'Sample' }
const other = { id: '3', agencyRef: 'UK-3', forename: 'Ann', surname: 'Sample' }

const slip = (id: string, of: Record<string, string>) => ({ id, taxYear: '2026/27', taxPeriod: 1, ...of })
const named = [slip('a', { subcontractorName: 'Ann Sample' }), slip('b', { subcontractorName: 'Ben Sample' })]

/** The payslips of one person, of a service with these people and payslips. */
async function listed(
  verb: 'list' | 'export',
  people: readonly object[],
  payslips: readonly object[],
  ...words: string[]
) {
  const { env } = await service(({ url }, response) => {
    const items = url.includes('payslips') ? payslips : url.includes('ireland') ? [] : people
    answerJson(response, 200, { data: items, totalDocs: items.length })
  })
  return payroll(['payslips', verb, ...words], { env })
}

describe('payroll payslips list <person>', () => {
  test.each([
    ['the reference', ['uk-1']],
    ['the name', ['Ann', 'Sample']],
    ['the name in one word of the shell', ['Ann Sample']],
    ['the name as on a form', ['SAMPLE, Ann']],
    ['a part of the name that one person has', ['ann']],
  ])('finds a person by %s', async (_, words) => {
    const { code, json, err } = await listed('list', [ann, ben], named, ...words)
    expect([code, json()]).toMatchObject([0, [{ id: 'a' }]])
    expect(json()).toHaveLength(1)
    expect(err).toContain('of the name Ann Sample')
  })

  test('holds payslips that show a reference against that, and says nothing of names', async () => {
    const slips = [
      slip('a', { subcontractorName: 'Ann Sample', subcontractorRef: 'UK-1' }),
      slip('b', { subcontractorName: 'Ann Sample', subcontractorRef: 'UK-3' }),
    ]
    const { code, json, err } = await listed('list', [ann, other], slips, 'UK-1')
    expect([code, json(), err]).toMatchObject([0, [{ id: 'a' }], ''])
    expect(json()).toHaveLength(1)
  })

  test('reads the legacy list too', async () => {
    const slips = [slip('a', { subcontractor: 'Ann Sample' }), slip('b', { subcontractor: 'Ben Sample' })]
    const { json } = await listed('list', [ann, ben], slips, 'UK-2', '--legacy')
    expect(json()).toMatchObject([{ id: 'b' }])
  })

  test('goes together with --where and --limit', async () => {
    const slips = [...named, slip('c', { subcontractorName: 'Ann Sample' })]
    const ids = async (...words: string[]) =>
      (await listed('list', [ann, ben], slips, 'UK-1', ...words)).json().map(({ id }: { id: string }) => id)
    expect(await ids('--limit', '1')).toEqual(['a'])
    expect(await ids('--where', 'id=c')).toEqual(['c'])
  })

  test.each([
    ['several people fit it', [ann, ben], ['sample'], 2, 'Ann Sample (UK-1), Ben Sample (UK-2)'],
    ['two people have the whole name and payslips show no reference', [ann, other], ['UK-1'], 2, 'UK-3'],
    ['nobody fits it', [ann, ben], ['cara'], 5, 'Nobody has the reference or the name cara'],
    ['one page is asked for', [ann, ben], ['UK-1', '--page', '1'], 2, 'cannot be combined with --page'],
  ])('lists nothing where %s', async (_, people, words, exit, says) => {
    const { code, out, err } = await listed('list', people, named, ...words)
    expect([code, out, err]).toEqual([exit, '', expect.stringContaining(says)])
  })
})

describe('payroll payslips export <person>', () => {
  test('writes the payslips of that person alone', async () => {
    const { code, out } = await listed('export', [ann, ben], named, 'UK-1')
    expect([code, out]).toEqual([0, 'id,taxYear,taxPeriod,subcontractorName\na,2026/27,1,Ann Sample\n'])
  })

  test('is exit 2 with --since-last, which remembers the payslips of everybody', async () => {
    const { code, out, err } = await listed('export', [ann, ben], named, 'UK-1', '--since-last', 'nightly')
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('--since-last')])
  })
})
