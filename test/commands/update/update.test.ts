import { describe, expect, test } from 'vitest'
import { everyField, everyFieldFile } from '../../every-field.ts'
import { payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { wholeFor } from '../../whole-record.ts'
import { candidateTargets, file, loopback, places } from '../targets.ts'

/** Of the Irish request, what the document's answer does not have. */
const notReturned = {
  generalSetting: [
    'loginId',
    'workingTimeRegulation',
    'agencyConductRegulation',
    'payrollCalculationStart',
    'payrollCalculationEnd',
    'workingPatternId',
    'allowPortalLogin',
    'isRestrictedHours',
    'department',
  ],
  pensionSetting: ['scheme', 'reference', 'isSalarySacrifice', 'pensionCalculationType'],
  bankSetting: ['buildingSocietyNumber', 'author'],
  payrollSetting: ['holidayPayOpeningBalance'],
} as const

/** A record with every field and some that nobody declared, in a service on loopback. */
async function stored(target: (typeof candidateTargets)[number]) {
  const at = await loopback()
  const given = everyField(target.country)
  given.generalSetting.nickname = 'Zed'
  given.generalSetting.emergencyContacts = [{ name: 'Kim', phones: ['07700 900103'] }]
  given.bankSetting.byYear = { 2025: 'closed', 2026: { 4: 'open' } }
  given.payrollSetting.perks = { car: null, lunch: true }
  await at.call('POST', target.path, given)
  const { id } = (await at.call('GET', target.path)).json.data[0]
  const record = async () => (await at.call('GET', `${target.path}/${id}`)).json.data.candidate
  const update = (...words: string[]) => at.run(['candidates', 'update', id, ...target.flags, ...words])
  const sentBody = () => JSON.parse(at.writes()[0]?.body ?? 'null')
  return { ...at, id, given, record, update, sentBody }
}

describe.each(candidateTargets)('candidates update of a $adjective candidate', (target) => {
  test.each([
    [['--set', 'generalSetting.county='], 'county', ''],
    [['--unset', 'county'], 'county', ''],
    [['--unset', 'generalSetting.address'], 'address', []],
    [['--unset', 'DOB'], 'DOB', undefined],
  ])('clears the field of %j, and no other', async (words, name, expected) => {
    const { update, sentBody, given } = await stored(target)
    await update(...words)
    const { [name]: _, ...others } = given.generalSetting
    const { [name]: value, ...rest } = sentBody().generalSetting
    expect(value).toEqual(expected)
    expect(rest).toMatchObject({ forename: others.forename, surname: others.surname, city: others.city })
  })

  test('changes the field that is set, and no other', async () => {
    const { update, record } = await stored(target)
    const before = await record()
    const updated = await update('--set', 'generalSetting.city=Galway')
    expect(updated.code).toBe(0)
    expect(updated.json()).toEqual({ ...before, city: 'Galway' })
    expect(await record()).toEqual({ ...before, city: 'Galway' })
  })

  test.each([
    ['generalSetting.pensionSetting.memberId=M-2', ['pensionSetting', 'memberId'], 'M-2'],
    ['generalSetting.address[0]=Flat 9', ['address', 0], 'Flat 9'],
    ['generalSetting.address[1]=9 Example Street', ['address', 1], '9 Example Street'],
    ['bankSetting.accountNumber=00012345', ['bank', 'accountNumber'], '00012345'],
    ['payrollSetting.openingBalance.tax=0.01', ['setting', 'openingBalance', 'tax'], 0.01],
    ['payrollSetting.includeInTimesheetRate=false', ['setting', 'includeInTimesheetRate'], false],
  ])('maps %s to where the answer has it', async (set, place, value) => {
    const { update, record } = await stored(target)
    const expected = await record()
    const last = place.at(-1) as string
    const parent = place.slice(0, -1).reduce((at: any, name) => at[name], expected)
    parent[last] = value
    expect((await update('--set', set)).code).toBe(0)
    expect(await record()).toEqual(expected)
  })

  test('sends the record whole, under the names of the request, the unknown fields in their place', async () => {
    const { update, given, sentBody, writes } = await stored(target)
    await update('--set', 'generalSetting.city=Galway')
    expect(writes()).toEqual([expect.objectContaining({ method: 'PUT' })])
    const expected = given
    expected.generalSetting.city = 'Galway'
    expected.generalSetting.registrationStatus = 'REGISTRATION_COMPLETE'
    if (target.adjective === 'Irish') {
      const sections = { ...expected, pensionSetting: expected.generalSetting.pensionSetting }
      for (const [section, names] of Object.entries(notReturned)) {
        for (const name of names) delete sections[section][name]
      }
      // A boolean in the answer, text in the request.
      expected.payrollSetting.payrollApproveNeeded = 'true'
    }
    expect(sentBody()).toEqual(expected)
  })

  test('shows what changes, old and new, with what is sensitive masked', async () => {
    const { update } = await stored(target)
    const words = ['--set', 'generalSetting.DOB=1991-11-04', '--set', 'bankSetting.sortCode=601613']
    const secrets = /1991-11-04|1991-03-14|1990-02-28|601613|931152|560036/
    const updated = await update(...words, '--set', 'generalSetting.county=Kerry', '--output', 'table')
    expect(updated.err).toMatch(/^ {2}generalSetting\.county: [\w ]+ → Kerry$/m)
    expect(updated.err).toMatch(/^ {2}generalSetting\.DOB: \*{6} → \*{6} \(changed; --reveal shows how\)$/m)
    expect(updated.out + updated.err).not.toMatch(secrets)
  })

  test('shows them in full with --reveal', async () => {
    const { update, given } = await stored(target)
    const updated = await update('--reveal', '--set', 'generalSetting.DOB=1991-11-04')
    expect(updated.err).toContain(`  generalSetting.DOB: ${given.generalSetting.DOB} → 1991-11-04\n`)
  })

  test('sends nothing when nothing differs', async () => {
    const { update, record, writes } = await stored(target)
    const { city, bank } = await record()
    const words = ['--set', `generalSetting.city=${city}`, '--set', `bankSetting.sortCode=${bank.sortCode}`]
    const updated = await update(...words)
    expect(updated.code).toBe(0)
    expect(updated.json()).toEqual(await record())
    expect(updated.err).toContain('Nothing to change: the service already has these values.\n')
    expect(writes()).toEqual([])
  })

  test('lays a file over the record: objects field by field, lists whole', async () => {
    const { update, record, home, sentBody } = await stored(target)
    const change = {
      generalSetting: { address: ['Only line'], pensionSetting: { optState: 'out' } },
      bankSetting: { bankName: 'Another' },
    }
    const before = await record()
    const updated = await update('--file', file(home, 'change.json', JSON.stringify(change)))
    expect(updated.code).toBe(0)
    expect(await record()).toEqual({
      ...before,
      address: ['Only line'],
      pensionSetting: { ...before.pensionSetting, optState: 'out' },
      bank: { ...before.bank, bankName: 'Another' },
    })
    // Whole, for a service that replaces what it has.
    const { forename, surname } = before
    expect(sentBody()).toMatchObject({
      generalSetting: { forename, surname, pensionSetting: { memberId: before.pensionSetting.memberId } },
      bankSetting: { accountNumber: before.bank.accountNumber },
      payrollSetting: { openingBalance: before.setting.openingBalance },
    })
  })

  test.each([
    ['generalSetting.forenam=x', 'generalSetting.forenam'],
    ['generalSetting.DOB=2001-02-30', 'generalSetting.DOB'],
    ['generalSetting.country=Atlantis', 'generalSetting.country'],
  ])('refuses %s before it reads the record', async (set, path) => {
    const { update, requests } = await stored(target)
    const seen = requests.length
    const refused = await update('--json', '--set', set)
    expect(refused.code).toBe(3)
    expect(refused.error().issues).toEqual([expect.objectContaining({ path })])
    expect(requests).toHaveLength(seen)
  })

  test('refuses an element that leaves a gap in the list, and writes nothing', async () => {
    const { update, writes, given } = await stored(target)
    const { length } = given.generalSetting.address
    const refused = await update('--json', '--set', `generalSetting.address[${length + 1}]=x`)
    expect(refused.code).toBe(3)
    expect(refused.error().issues).toEqual([
      expect.objectContaining({ path: `generalSetting.address[${length}]` }),
    ])
    expect(writes()).toEqual([])
  })
})

describe('candidates update', () => {
  test('names the fields that no Irish answer returns, so that none is lost silently', async () => {
    const { update } = await stored(candidateTargets[1])
    const updated = await update('--quiet', '--set', 'generalSetting.pensionSetting.scheme=Example')
    const [, listed = ''] =
      /^Note: the service does not return these fields.*: (.+)\.$/m.exec(updated.err) ?? []
    const { generalSetting, pensionSetting, bankSetting, payrollSetting } = notReturned
    const expected = [
      ...generalSetting,
      // What this update itself gives is not lost.
      ...pensionSetting.slice(1),
      ...bankSetting,
      ...payrollSetting,
    ]
    expect(listed.split(', ').sort()).toEqual(expected.sort())
  })

  test('says what the public standards doubt of the change, and not of what was there before', async () => {
    const { update } = await stored(candidateTargets[0])
    const updated = await update('--set', 'payrollSetting.taxCode=ZZZ')
    expect(updated.err).toMatch(/^payrollSetting\.taxCode: /m)
    expect(updated.err).not.toMatch(/^generalSetting\.NINumber: /m)
  })

  test('is exit 5 for an id that is not there, and writes nothing', async () => {
    const { run, writes } = await loopback()
    const updated = await run(['candidates', 'update', 'nobody', '--json', '--set', 'generalSetting.city=x'])
    expect(updated.code).toBe(5)
    expect(updated.error()).toMatchObject({ code: 'not-found', method: 'GET', status: 404 })
    expect(writes()).toEqual([])
  })

  test('needs something to change', async () => {
    const { run, requests } = await loopback()
    expect((await run(['candidates', 'update', 'x'])).code).toBe(3)
    expect(requests).toEqual([])
  })

  test('does not say that nothing was applied when only reading it again failed', async () => {
    let reads = 0
    const setting = {}
    const part = { id: 'x', city: 'Cork', bank: null, setting }
    const candidate = wholeFor(['candidates', '--ireland'], part).record
    const { env } = await service(({ method }, response) => {
      if (method === 'PUT') response.writeHead(204).end()
      else if (reads++ < 2) answerJson(response, 200, { data: { candidate } })
      else answerJson(response, 503, {})
    })
    const argv = ['candidates', 'update', 'x', '--id', '--ireland', '--set', 'generalSetting.city=Galway']
    const updated = await payroll(argv, { env })
    expect(updated.code).toBe(0)
    expect(updated.json()).toEqual({ updated: true, id: 'x' })
    expect(updated.err).toContain('the record was updated, but could not be read again afterwards (503)')
  })
})

describe.each(places)('candidates update, at $place', ({ open }) => {
  test.each(candidateTargets)('reads, changes and sends a $adjective candidate', async (target) => {
    const { run } = await open()
    await run(['candidates', 'create', ...target.flags, '--file', everyFieldFile(target.country)])
    const [before] = (await run(['candidates', 'list', ...target.flags])).json()
    const argv = ['candidates', 'update', before.id, ...target.flags]
    const updated = await run([...argv], { input: '{"generalSetting":{"city":"Galway"}}' })
    expect(updated.code).toBe(0)
    const message = new RegExp(
      `^Updated an? ${target.adjective} candidate \\(${before.id}\\) on \\S+\\.$`,
      'm',
    )
    expect(updated.err).toMatch(message)
    expect((await run(['candidates', 'get', before.id, ...target.flags])).json()).toEqual({
      ...before,
      city: 'Galway',
    })
  })
})
