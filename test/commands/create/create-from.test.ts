import { describe, expect, test } from 'vitest'
import { everyField } from '../../every-field.ts'
import { asTyped, atTerminal, endedWith, freshHome, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { completeForm, draftsIn, stopForm } from '../drafts/draft-fixture.ts'
import { candidateTargets, file, loopback } from '../targets.ts'

const [uk, irish] = candidateTargets
const create = ['candidates', 'create', '--incomplete']

/** A service with one candidate that has every field, and its id. */
async function withRecord({ country, flags, path }: (typeof candidateTargets)[number]) {
  const at = await loopback()
  await at.call('POST', path, everyField(country))
  const [{ id }] = (await at.run(['candidates', 'list', ...flags])).json()
  return { ...at, id }
}

/** Every value in a body, by its path. */
function pathsOf(value: any, above = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [above]
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, above ? `${above}.${name}` : name))
}

describe('create --from an identifier', () => {
  test.each(candidateTargets)('takes over $adjective terms, and nothing of the person', async (target) => {
    const { run, id, writes } = await withRecord(target)
    const shown = await run([...create, ...target.flags, '--from', id, '--dry-run'])
    const taken = shown.json().body
    const { generalSetting, payrollSetting } = everyField(target.country)
    const { payFrequency, rateHour } = generalSetting
    expect([shown.code, taken.generalSetting]).toMatchObject([0, { payFrequency, rateHour }])
    expect(taken.payrollSetting.holidayPayMethod).toBe(payrollSetting.holidayPayMethod)
    expect(taken).not.toHaveProperty('bankSetting')
    const own =
      /agencyRef|title|forename|surname|gender|DOB|marital|nationality|NINumber|ppsNumber|ddress|ity$|ostCode|ircode|mobile|Mobile|mail|emergency|document|loginId|registrationStatus|memberId|Date$|dateOfJoining|OpeningBalance|openingBalance|tax|UTR|employmentId|^id$|status/
    expect(pathsOf(taken).filter((path) => own.test(path.split('.').at(-1) ?? ''))).toEqual([])
    expect(shown.err).toMatch(/Copied from \S+: \d+ fields\. What belongs only to that record was left out\./)
    expect(writes()).toEqual([])
  })

  test('lays --set on top, and sends', async () => {
    const { run, id, writes } = await withRecord(uk)
    const argv = asTyped`${create} --from ${id} --set agencyRef=A-18 --set rateHour=30`
    expect((await run(argv)).code).toBe(0)
    const sent = JSON.parse(writes()[0]?.body ?? '')
    expect(sent.generalSetting).toMatchObject({ agencyRef: 'A-18', rateHour: 30, payFrequency: 'WEEKLY' })
  })

  test('of a reference that looks like the name of a file is that of the record where reference: says so', async () => {
    const { run, call } = await loopback()
    const record = everyField(uk.country)
    await call('POST', uk.path, {
      ...record,
      generalSetting: { ...record.generalSetting, agencyRef: 'A-17.json' },
    })
    expect((await run([...create, '--from', 'A-17.json', '--dry-run'])).code).toBe(2)
    const shown = await run([...create, '--from', 'reference:A-17.json', '--dry-run'])
    expect([shown.code, shown.json().body.generalSetting.payFrequency]).toEqual([0, 'WEEKLY'])
  })

  test('starts the form with it at a terminal, which asks for what it lacks and keeps no draft of it alone', async () => {
    const { home, env, id, writes } = await withRecord(irish)
    const argv = [...create, '--ireland', '--from', id]
    await stopForm(argv, { home, env }, {}, 'Agency reference')
    expect(draftsIn(home)).toEqual([])

    const terminal = atTerminal(argv, { home, env })
    const { code } = await completeForm(terminal, { Forename: 'Bríd', 'What next?': 'Send' })
    expect(code).toBe(0)
    const sent = JSON.parse(writes()[0]?.body ?? '')
    expect(sent.generalSetting).toMatchObject({ forename: 'Bríd', payFrequency: 'WEEKLY' })
    expect(sent).not.toHaveProperty('bankSetting')
    expect(terminal.screen()).not.toContain('? Pay frequency')
  })

  test('a draft of it holds what was taken over', async () => {
    const { home, env, id } = await withRecord(irish)
    const argv = [...create, '--ireland', '--from', id]
    await stopForm(argv, { home, env }, { Forename: 'Bríd' }, 'What next?')
    const [draft] = draftsIn(home)
    expect(draft.answers).toContainEqual(['generalSetting.forename', 'Bríd'])
    expect(draft.answers).toContainEqual(['generalSetting.payFrequency', 'WEEKLY'])
  })

  test('of a payment rate leaves out its code and what the service assigns', async () => {
    const { run } = await loopback()
    const rate = { code: 'DAY', description: 'Day', hoursPerUnit: 8, includeInPayeCalculation: true }
    const made = await run(['payment-rates', 'create'], { input: JSON.stringify(rate) })
    const shown = await run(['payment-rates', 'create', '--from', made.json().id, '--dry-run'])
    const { code: _, ...others } = rate
    expect(shown.json().body).toEqual(others)
  })

  test('of a timesheet leaves out its dates and keeps the rates', async () => {
    const { run, call } = await loopback()
    const rates = [{ rateId: 'r1', rate: '21.50', vatID: 'v1', units: '37.5' }]
    const sheet = { subcontractorRef: 'A-17', startDate: '2026-08-03', endDate: '2026-08-09', rates }
    await call('POST', '/svc/time-sheets', sheet)
    const [{ id }] = (await run(['timesheets', 'list'])).json()
    const shown = await run(['timesheets', 'create', '--from', id, '--dry-run'])
    expect(shown.json().body).toEqual({ subcontractorRef: 'A-17', rates })
  })

  test.each([
    ['candidates', { id: 'p1', employee: { generalSetting: { payFrequency: 'WEEKLY' } } }],
    ['candidates', { id: 'p1' }],
    ['timesheets', { sheet: { subcontractorRef: 'A-17' } }],
    ['payment-rates', { rate: { description: 'Day' } }],
  ])('of %s that comes in another form, %j, is exit 10, and nothing was sent', async (noun, record) => {
    const { env, received } = await service(({ url }, response) =>
      answerJson(response, url.includes('page=') ? 404 : 200, { data: record, success: true }),
    )
    const refused = await payroll([noun, 'create', '--from', 'p1', '--json'], { env, input: '{}' })
    expect([refused.code, refused.error().outcome]).toEqual([10, 'not-sent'])
    expect(refused.error().hint).toContain(`payroll ${noun} get p1 --json`)
    expect(received.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('that is not there is exit 5, and nothing was sent', async () => {
    const { run, writes } = await loopback()
    expect((await run([...create, '--from', 'nobody'])).code).toBe(5)
    const noFile = await run([...create, '--from', 'AC/002'])
    expect(noFile).toMatchObject(endedWith(5, 'AC/002'))
    expect(writes()).toEqual([])
  })
})

describe('create --from a file', () => {
  test('sends the file as it stands, with --set on top', async () => {
    const { run, home, writes } = await loopback()
    const path = file(home, 'starter.json', JSON.stringify(everyField(uk.country)))
    expect((await run([...create, '--from', path, '--set', 'generalSetting.agencyRef=A-19'])).code).toBe(0)
    const expected = everyField(uk.country)
    expected.generalSetting.agencyRef = 'A-19'
    expect(JSON.parse(writes()[0]?.body ?? '')).toEqual(expected)
  })

  test.each(candidateTargets)('starts the form with each field of a $adjective candidate', async (target) => {
    const home = freshHome()
    const path = file(home, 'starter.json', JSON.stringify(everyField(target.country)))
    const argv = asTyped`${create} ${target.flags} --from ${path} --dry-run --json`
    const { code, json } = await completeForm(atTerminal(argv, { home }), { 'What next?': 'Send' })
    expect(code).toBe(0)
    expect(json().body).toEqual(everyField(target.country))
  })

  const sheet = { subcontractorRef: 'A-17', purchaseOrder: 'PO-1', rates: [{ rateId: 'r1', bonus: 1 }] }
  test.each([
    [
      'a misspelt field',
      create,
      '{"generalSetting": {"fornename": "Eve"}}',
      /did you mean generalSetting\.forename\?/,
    ],
    ['a list', create, '[]', /not a list of 0/],
    ['half a file', create, '{"generalSetting":', /holds no record: it is not JSON/],
    [
      'fields of a timesheet that are none',
      ['timesheets', 'create', '--json'],
      JSON.stringify(sheet),
      /purchaseOrder.*rates\[0\]\.bonus/s,
    ],
  ])('with %s is exit 3 before the form opens', async (_, words, text, says) => {
    const path = file(freshHome(), 'starter.json', text)
    const terminal = atTerminal([...words, '--from', path])
    expect(await terminal.ended).toMatchObject({ code: 3, err: expect.stringMatching(says) })
    expect(terminal.screen()).not.toMatch(/\? (Agency reference|Person)/)
  })

  test('that is not there, or beside --file, is exit 2', async () => {
    const { run, home } = await loopback()
    expect((await run(['candidates', 'create', '--from', './none.json'])).code).toBe(2)
    const path = file(home, 'starter.json', '{}')
    const both = await run([...create, '--from', path, '--file', path])
    expect(both).toMatchObject(endedWith(2, '--from and --file cannot be combined.'))
  })
})
