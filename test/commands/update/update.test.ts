import { describe, expect, test } from 'vitest'
import { everyField, everyFieldFile } from '../../every-field.ts'
import { endedWith, freshHome, payroll } from '../../payroll.ts'
import { keepingPeople } from '../../people-service.ts'
import { candidateTargets, file, loopback } from '../targets.ts'

/** Of the Irish request, what the document's answer does not have. */
const notReturned = {
  generalSetting: [
    ...['loginId', 'workingTimeRegulation', 'agencyConductRegulation', 'payrollCalculationStart'],
    ...['payrollCalculationEnd', 'workingPatternId', 'allowPortalLogin', 'isRestrictedHours', 'department'],
  ],
  pensionSetting: ['scheme', 'reference', 'isSalarySacrifice', 'pensionCalculationType'],
  bankSetting: ['buildingSocietyNumber', 'author'],
  payrollSetting: ['holidayPayOpeningBalance'],
}

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
  return { ...at, given, record, update, sentBody }
}

const sample = {
  generalSetting: { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample', city: 'Leeds' },
  bankSetting: { accountNumber: '31926819', sortCode: '601613' },
}

describe('candidates update of an Irish candidate', () => {
  test.each([
    ['isSalarySacrifice', 'pensionSetting'],
    ['holidayPayOpeningBalance', 'payrollSetting'],
    ['payrollCalculationStart', 'generalSetting'],
  ])(
    'with --unset %s, which no answer has, sends null, and does not say that it is empty already',
    async (name, section) => {
      const [target] = candidateTargets.filter(({ country }) => country === 'ireland')
      if (!target) throw new TypeError('no Irish target')
      const { update, sentBody } = await stored(target)
      const run = await update('--unset', name, '--changes', '--json', '--allow-missing', 'bank')
      expect([run.code, run.json().changed, run.err]).toEqual([
        0,
        true,
        expect.stringContaining(`${name}: (not known) → (not set)`),
      ])
      const { generalSetting, ...others } = sentBody()
      const sections = { generalSetting, ...others, pensionSetting: generalSetting.pensionSetting }
      expect(sections[section][name]).toBeNull()
    },
  )
})

describe.each(candidateTargets)('candidates update of a $adjective candidate', (target) => {
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
    const parent = place.slice(0, -1).reduce((at: any, name) => at[name], expected)
    parent[place.at(-1) as string] = value
    expect((await update('--set', set)).code).toBe(0)
    expect(await record()).toEqual(expected)
  })

  test('sends the record whole, under the names of the request, the unknown fields in their place', async () => {
    const { update, given: expected, sentBody, writes } = await stored(target)
    await update('--set', 'generalSetting.city=Galway')
    expect(writes()).toEqual([expect.objectContaining({ method: 'PUT' })])
    expected.generalSetting.city = 'Galway'
    expected.generalSetting.registrationStatus = 'REGISTRATION_COMPLETE'
    if (target.adjective === 'Irish') {
      const sections = { ...expected, pensionSetting: expected.generalSetting.pensionSetting }
      for (const [section, names] of Object.entries(notReturned))
        for (const name of names) delete sections[section][name]
      // A boolean in the answer, text in the request.
      expected.payrollSetting.payrollApproveNeeded = 'true'
    }
    expect(sentBody()).toEqual(expected)
  })
})

describe('candidates update of a candidate', () => {
  const [target] = candidateTargets

  test.each([
    ['--set generalSetting.county=', 'county', ''],
    ['--unset county', 'county', ''],
    ['--unset generalSetting.address', 'address', []],
    ['--unset DOB', 'DOB', null],
    ['--unset rateHour', 'rateHour', null],
  ])('with %s clears that field, and no other', async (words, name, expected) => {
    const { update, sentBody, given } = await stored(target)
    await update(...words.split(' '))
    const { [name]: value, ...rest } = sentBody().generalSetting
    expect(value).toEqual(expected)
    const { forename, surname, city } = given.generalSetting
    expect(rest).toMatchObject({ forename, surname, city })
  })

  test('with --set and nothing after the = doubts it, because a variable may be empty, and --strict refuses it', async () => {
    const { update, writes } = await stored(target)
    const strict = await update('--set', 'rateHour=', '--strict', '--json')
    const message = 'nothing stands after the =; to empty the field: --unset rateHour'
    expect([strict.code, strict.error().issues, writes()]).toEqual([
      3,
      [{ path: 'generalSetting.rateHour', message }],
      [],
    ])
    // A column of a database may pad it.
    const blank = await update('--set', 'city= ', '--strict', '--json')
    expect([blank.code, blank.error().issues, writes()]).toMatchObject([
      3,
      [{ message: 'nothing stands after the =; to empty the field: --unset city' }],
      [],
    ])
    const unset = await update('--unset', 'rateHour', '--strict', '--dry-run')
    expect([unset.code, unset.out]).toEqual([0, expect.not.stringContaining('nothing stands')])
    expect((await update('--set', 'rateHour=', '--json')).json().warnings).toContainEqual({
      path: 'generalSetting.rateHour',
      message: 'nothing stands after the =, so the field is emptied',
    })
  })

  test('that takes the reference away is exit 3 and sends nothing, except with --incomplete', async () => {
    const { update, writes } = await stored(target)
    for (const words of [
      ['--unset', 'agencyRef'],
      ['--set', 'generalSetting.agencyRef='],
    ]) {
      const { code, err } = await update(...words)
      expect([code, err]).toEqual([3, expect.stringContaining('an import creates the person again')])
      expect(err).toContain('To send it without, add --incomplete.')
    }
    expect(writes()).toEqual([])
    expect(await update('--unset', 'agencyRef', '--incomplete')).toMatchObject({ code: 0 })
    expect(writes()).toHaveLength(1)
  })

  test('shows what changes, old and new, by labels in a table and by paths for a script, with what is sensitive masked but for --reveal', async () => {
    const { update, given } = await stored(target)
    const words = ['--set', 'generalSetting.DOB=1991-11-04', '--set', 'bankSetting.sortCode=601613']
    const secrets = /1991-11-04|1991-03-14|1990-02-28|601613|931152|560036/
    const updated = await update(...words, '--set', 'generalSetting.county=Kerry', '--output', 'table')
    expect(updated.err).toMatch(/^ {2}County: [\w ]+ → Kerry$/m)
    expect(updated.err).toMatch(/^ {2}Date of birth: \*{6} → \*{6} \(5 of 10 differ\)$/m)
    expect(updated.out + updated.err).not.toMatch(secrets)
    const back = await update('--reveal', '--set', `generalSetting.DOB=${given.generalSetting.DOB}`)
    expect(back.err).toContain(`  generalSetting.DOB: 1991-11-04 → ${given.generalSetting.DOB}\n`)
  })

  test('lays a file over the record: objects field by field, lists whole', async () => {
    const { update, record, home, sentBody } = await stored(target)
    const change = {
      generalSetting: { address: ['Only line'], pensionSetting: { optState: 'out' } },
      bankSetting: { bankName: 'Another' },
    }
    const before = await record()
    expect((await update('--file', file(home, 'change.json', JSON.stringify(change)))).code).toBe(0)
    const { forename, surname, pensionSetting, bank, setting } = before
    expect(await record()).toEqual({
      ...before,
      address: ['Only line'],
      pensionSetting: { ...pensionSetting, optState: 'out' },
      bank: { ...bank, bankName: 'Another' },
    })
    // Whole, for a service that replaces what it has.
    expect(sentBody()).toMatchObject({
      generalSetting: { forename, surname, pensionSetting: { memberId: pensionSetting.memberId } },
      bankSetting: { accountNumber: bank.accountNumber },
      payrollSetting: { openingBalance: setting.openingBalance },
    })
  })

  test.each([
    ['generalSetting.forenam', 'x'],
    ['generalSetting.DOB', '2001-02-30'],
    ['generalSetting.country', 'Atlantis'],
  ])('is exit 3 for %s=%s, before it reads the record', async (path, value) => {
    const { update, requests } = await stored(target)
    const { code, error } = await update('--json', '--set', `${path}=${value}`)
    expect([code, error().issues, requests]).toEqual([3, [expect.objectContaining({ path })], []])
  })

  test('is exit 3 for an element that leaves a gap in the list, and writes nothing', async () => {
    const { update, writes, given } = await stored(target)
    const { length } = given.generalSetting.address
    const { code, error } = await update('--json', '--set', `generalSetting.address[${length + 1}]=x`)
    expect([code, writes()]).toEqual([3, []])
    expect(error().issues).toMatchObject([{ path: `generalSetting.address[${length}]` }])
  })
})

describe('candidates update', () => {
  test('names the fields that no Irish answer returns, so that none is lost silently', async () => {
    const { update } = await stored(candidateTargets[1])
    // What this update itself gives is not lost.
    const { err } = await update('--quiet', '--set', 'generalSetting.pensionSetting.scheme=Example')
    const [, listed = ''] = /^Note: the service does not return these fields.*: (.+)\.$/m.exec(err) ?? []
    // As --set takes them: reference alone may be the person's.
    const typed = (name: string) => (name === 'reference' ? 'generalSetting.pensionSetting.reference' : name)
    const expected = Object.values(notReturned).flat().map(typed)
    expect(listed.split(/, | and /).sort()).toEqual(expected.filter((name) => name !== 'scheme').sort())
  })

  test('names those that this computer sent, in the warnings of a dry run too', async () => {
    const { run } = await loopback()
    const created = await run(['candidates', 'create', '--ireland', '--file', everyFieldFile('ireland')])
    const argv = ['candidates', 'update', created.json().id, '--ireland', '--set', 'generalSetting.city=Cork']
    const lost = {
      path: '',
      message: expect.stringMatching(
        /may clear those not given: .*scheme, generalSetting\.pensionSetting\.reference/,
      ),
    }
    expect((await run([...argv, '--dry-run'])).json().warnings).toContainEqual(lost)
    expect((await run(argv)).json().warnings).toContainEqual(lost)
  })

  test('sends nothing where the service has the value in its own spelling, except what --set-raw says', async () => {
    const dashed = (sent: any) => ({ bank: { ...sent.bankSetting, sortCode: '60-16-13' } })
    const { env, received, people } = await keepingPeople(dashed)
    people.push({
      generalSetting: { agencyRef: 'UK-1', forename: 'Ann', surname: "O'Sample" },
      bankSetting: { accountNumber: '31926819', sortCode: '601613' },
    })
    const update = (...words: string[]) =>
      payroll(['candidates', 'update', 'UK-1', '--yes', '--incomplete', ...words], {
        env: { ...env, PAYROLL_EMPTY_FIELDS: 'left-out' },
      })
    expect(await update('--set', 'sortCode=601613')).toMatchObject(
      endedWith(0, 'The service has Sort code in a form of its own, which stays. --set-raw sends yours.'),
    )
    expect(received.filter(({ method }) => method === 'PUT')).toEqual([])
    expect(await update('--set-raw', 'sortCode=60 16 13')).toMatchObject({ code: 0 })
    expect((await update('--set', 'surname=O’Sample')).code).toBe(0)
    expect((await update('--set', "address[0]=1 St John's Road")).code).toBe(0)
    expect((await update('--set', 'address[0]=1 St John’s Road')).code).toBe(0)
    expect(received.filter(({ method }) => method === 'PUT')).toHaveLength(4)
    expect(await update('--set', 'surname=O’Sample')).toMatchObject({
      err: expect.not.stringContaining('form of its own'),
    })
  })

  test.each([
    ['a field', { mobile: undefined }, 'mobile='],
    ['a whole section', { bank: undefined }, 'accountNumber='],
  ])('empties %s that the service does not show', async (_, hidden, emptied) => {
    const { env, received } = await keepingPeople(() => hidden)
    const home = freshHome()
    const run = (words: string, ...sets: string[]) =>
      payroll([...words.split(' '), ...sets.flatMap((each) => ['--set', each])], {
        home,
        env: { ...env, PAYROLL_EMPTY_FIELDS: 'left-out' },
      })
    const person = ['agencyRef=UK-1', 'forename=Ann', 'surname=Sample', 'mobile=07911 222333']
    const bank = ['accountNumber=31926819', 'sortCode=601613']
    await run('candidates create --incomplete --yes', ...person, ...bank)
    const ended = await run('candidates update UK-1 --yes --allow-missing bankSetting', emptied)
    expect(ended).toMatchObject({ code: 0 })
    expect(received.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })

  test('sends once what the service keeps in a form of its own, as a row does, and changes says that it was sent here', async () => {
    const entered = ['UK-1', 'UK-2'].map((agencyRef) => ({
      generalSetting: { agencyRef, forename: 'Ann', surname: 'Sample', city: 'Leeds' },
      bankSetting: { accountNumber: '31926819', sortCode: '601613' },
    }))
    const { env, received, people } = await keepingPeople((sent) => {
      const { city, forename } = sent.generalSetting
      return entered.includes(sent) ? {} : { city: city.toUpperCase(), forename: forename.toUpperCase() }
    })
    people.push(...entered)
    const home = freshHome()
    const run = (words: string) =>
      payroll(words.split(' '), { home, env: { ...env, PAYROLL_EMPTY_FIELDS: 'left-out' } })
    const puts = () => received.filter(({ method }) => method === 'PUT').length
    const update = 'candidates update UK-1 --yes --incomplete --set city='
    await run('changes --mark m')
    expect(await run(`${update}York`)).toMatchObject(endedWith(0, 'York → YORK'))
    expect(await run(`${update}York`)).toMatchObject(endedWith(0, 'Nothing to change'))
    expect(puts()).toBe(1)
    const table = file(home, 'moves.csv', 'agencyRef,City\nUK-1,York\nUK-2,York\n')
    const importing = `candidates import ${table} --uk --update --settle 0 --yes --json`
    expect((await run(importing)).json()).toMatchObject({ updated: 1, unchanged: 1 })
    const { json, err } = await run(importing)
    expect([json(), err]).toMatchObject([{ unchanged: 2 }, expect.not.stringContaining('changed on')])
    expect(puts()).toBe(2)
    const changes = (await run('changes --since m --json')).json()
    expect(changes.map(({ here, field }: any) => [field, here])).toEqual([
      ['Forename', true],
      ['City or town', true],
      ['Forename', true],
      ['City or town', true],
    ])
    expect(await run(`${update}york`)).toMatchObject({ code: 0 })
    expect(puts()).toBe(3)
  })

  test.each([
    ['candidates update UK-1 --set accountNumber=12345677 --yes --incomplete', 'Nothing to change'],
    ['candidates import FILE --uk --update --bank --settle 0 --yes', '1 changed by an earlier run'],
  ])(
    'that finds the values of an earlier one does not say who sent them, where the record was seen without them: %s',
    async (command, says) => {
      const { env, people } = await keepingPeople(undefined, undefined, { fails: true, ignores: true })
      people.push(structuredClone(sample))
      const home = freshHome()
      const table = file(home, 'bank.csv', 'agencyRef,Account number\nUK-1,12345677\n')
      const run = (words: string) =>
        payroll(words.replace('FILE', table).split(' '), {
          home,
          env: { ...env, PAYROLL_EMPTY_FIELDS: 'left-out' },
        })
      await run('changes --mark m')
      expect((await run(command)).code).toBe(8)
      // Somebody else enters it.
      people[0].bankSetting.accountNumber = '12345677'
      expect(await run(command)).toMatchObject(endedWith(0, says))
      const outcomes = (await run('history --json')).json().map(({ outcome }: any) => outcome)
      expect(new Set(outcomes)).toEqual(new Set(['unknown']))
      expect((await run('changes --since m --json')).json()).toMatchObject([
        { here: null, by: expect.stringContaining('perhaps changed from this computer') },
      ])
    },
  )

  test('is exit 3 without something to change', async () => {
    const { run, requests } = await loopback()
    expect((await run(['candidates', 'update', 'x'])).code).toBe(3)
    expect(requests).toEqual([])
  })
})
