import { describe, expect, test } from 'vitest'
import { everyField } from '../../every-field.ts'
import { asTyped, atTerminal, freshHome, keys, payroll } from '../../payroll.ts'
import { answerForm } from '../../prompts/form-driver.ts'
import { answerJson, service } from '../../service.ts'
import { answering, completeForm, draftsIn } from '../drafts/draft-fixture.ts'
import { candidateTargets, file, loopback } from '../targets.ts'

const [uk, irish] = candidateTargets

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
  test.each(candidateTargets)(
    'takes over the terms of the $adjective record, and nothing of the person',
    async (target) => {
      const { run, id, writes } = await withRecord(target)
      const shown = await run(asTyped`candidates create --incomplete ${target.flags} --from ${id} --dry-run`)
      expect(shown.code).toBe(0)
      const taken = shown.json().body
      const whole = everyField(target.country)
      expect(taken.generalSetting).toMatchObject({
        payFrequency: whole.generalSetting.payFrequency,
        rateHour: whole.generalSetting.rateHour,
      })
      expect(taken.payrollSetting.holidayPayMethod).toBe(whole.payrollSetting.holidayPayMethod)
      expect(taken).not.toHaveProperty('bankSetting')
      const own =
        /agencyRef|title|forename|surname|gender|DOB|marital|nationality|NINumber|ppsNumber|ddress|ity$|ostCode|ircode|mobile|Mobile|mail|emergency|document|loginId|registrationStatus|memberId|Date$|dateOfJoining|OpeningBalance|openingBalance|tax|UTR|employmentId|^id$|status/
      expect(pathsOf(taken).filter((path) => own.test(path.split('.').at(-1) ?? ''))).toEqual([])
      expect(shown.err).toMatch(
        /Copied from \S+: \d+ fields \(Work and pay; .*\)\. What belongs only to that record was left out\./,
      )
      expect(writes()).toEqual([])
    },
  )

  test('lays --set on top, and sends', async () => {
    const { run, id, writes } = await withRecord(uk)
    const argv = asTyped`candidates create --incomplete --from ${id} --set generalSetting.agencyRef=A-18`
    expect((await run([...argv, '--set', 'generalSetting.rateHour=30'])).code).toBe(0)
    const sent = JSON.parse(writes()[0]?.body ?? '')
    expect(sent.generalSetting).toMatchObject({ agencyRef: 'A-18', rateHour: 30, payFrequency: 'WEEKLY' })
  })

  test('starts the form with it at a terminal, which asks for what it lacks and keeps no draft of it alone', async () => {
    const { home, env, id, writes } = await withRecord(irish)
    const argv = ['candidates', 'create', '--incomplete', '--ireland', '--from', id]
    const left = atTerminal(argv, { home, env })
    await left.type('? Agency reference', keys.ctrlC)
    await left.ended
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
    const terminal = atTerminal(asTyped`candidates create --incomplete --ireland --from ${id}`, {
      home,
      env,
    })
    await answerForm(terminal, answering({ Forename: 'Bríd' }, 'What next?'))
    await terminal.type('', keys.ctrlC)
    await terminal.ended
    const [draft] = draftsIn(home)
    expect(draft.answers).toContainEqual(['generalSetting.forename', 'Bríd'])
    expect(draft.answers).toContainEqual(['generalSetting.payFrequency', 'WEEKLY'])
  })

  test('create --from an identifier of a payment rate leaves out its code and what the service assigns', async () => {
    const { run } = await loopback()
    const rate = { code: 'DAY', description: 'Day', hoursPerUnit: 8, includeInPayeCalculation: true }
    const made = await run(['payment-rates', 'create'], { input: JSON.stringify(rate) })
    const shown = await run(['payment-rates', 'create', '--from', made.json().id, '--dry-run'])
    const { code: _, ...others } = rate
    expect(shown.json().body).toEqual(others)
  })

  test('create --from an identifier of a timesheet leaves out its dates and keeps the rates', async () => {
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
  ])(
    'create --from an identifier of %s that comes in another form, %j, is exit 10, and nothing was sent',
    async (noun, record) => {
      const { env, received } = await service(({ url }, response) =>
        url.includes('page=')
          ? answerJson(response, 404, {})
          : answerJson(response, 200, { data: record, success: true }),
      )
      const argv = [noun, 'create', '--from', 'p1', '--json']
      const refused = await payroll(argv, { env, input: '{}' })
      expect([refused.code, refused.error().outcome]).toEqual([10, 'not-sent'])
      expect(refused.error().hint).toContain(`payroll ${noun} get p1 --json`)
      expect(received.filter(({ method }) => method !== 'GET')).toEqual([])
    },
  )

  test('create --from an identifier that is not there is exit 5, and nothing was sent', async () => {
    const { run, writes } = await loopback()
    const refused = await run(['candidates', 'create', '--incomplete', '--from', 'nobody'])
    const noFile = await run(['candidates', 'create', '--incomplete', '--from', 'AC/002'])
    expect([noFile.code, noFile.err]).toEqual([5, expect.stringContaining('There is no file AC/002 either.')])
    expect(refused.code).toBe(5)
    expect(writes()).toEqual([])
  })
})

describe('create --from a file', () => {
  test('sends the file as it stands, with --set on top', async () => {
    const { run, home, writes } = await loopback()
    const path = file(home, 'starter.json', JSON.stringify(everyField(uk.country)))
    const argv = [
      'candidates',
      'create',
      '--incomplete',
      '--from',
      path,
      '--set',
      'generalSetting.agencyRef=A-19',
    ]
    expect((await run(argv)).code).toBe(0)
    const expected = everyField(uk.country)
    expected.generalSetting.agencyRef = 'A-19'
    expect(JSON.parse(writes()[0]?.body ?? '')).toEqual(expected)
  })

  test.each(candidateTargets)(
    'starts the form with every field of a $adjective candidate',
    async (target) => {
      const home = freshHome()
      const path = file(home, 'starter.json', JSON.stringify(everyField(target.country)))
      const argv = asTyped`candidates create --incomplete ${target.flags} --from ${path} --dry-run --json`
      const { code, json } = await completeForm(atTerminal(argv, { home }), { 'What next?': 'Send' })
      expect(code).toBe(0)
      expect(json().body).toEqual(everyField(target.country))
    },
  )

  test('create --from a file with a field of a timesheet that payroll does not know is exit 3 before the form opens', async () => {
    const home = freshHome()
    const sheet = { subcontractorRef: 'A-17', purchaseOrder: 'PO-1', rates: [{ rateId: 'r1', bonus: 1 }] }
    const path = file(home, 'week.json', JSON.stringify(sheet))
    const terminal = atTerminal(['timesheets', 'create', '--from', path, '--json'], { home })
    const ended = await terminal.ended
    expect(ended.code).toBe(3)
    expect(ended.err).toContain('purchaseOrder')
    expect(ended.err).toContain('rates[0].bonus')
    expect(terminal.screen()).not.toContain('? Person')
  })

  test.each([
    [
      'a misspelt field',
      '{"generalSetting": {"fornename": "Eve"}}',
      3,
      'did you mean generalSetting.forename?',
    ],
    ['a list', '[]', 3, 'not a list of 0'],
    ['half a file', '{"generalSetting":', 3, 'holds no record: it is not JSON'],
  ])('create --from a file with %s is exit 3 before the form opens', async (_, text, code, words) => {
    const home = freshHome()
    const path = file(home, 'starter.json', text)
    const terminal = atTerminal(['candidates', 'create', '--incomplete', '--from', path], { home })
    const ended = await terminal.ended
    expect(ended.code).toBe(code)
    expect(ended.err).toContain(words)
    expect(terminal.screen()).not.toContain('? Agency reference')
  })

  test('create --from a file that is not there, or beside --file, is exit 2', async () => {
    const { run, home } = await loopback()
    expect((await run(['candidates', 'create', '--from', './none.json'])).code).toBe(2)
    const path = file(home, 'starter.json', '{}')
    const both = await run(['candidates', 'create', '--incomplete', '--from', path, '--file', path])
    expect([both.code, both.err]).toEqual([
      2,
      expect.stringContaining('--from and --file cannot be combined.'),
    ])
  })
})
