import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { asTyped, atTerminal, endedWith, freshHome, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { completeForm, firstAnswers } from '../drafts/draft-fixture.ts'

const create = ['candidates', 'create', '--incomplete']

/** Creates an Irish candidate where the service answers this of it. */
async function answeredWith(sent: unknown, candidate: unknown, ...options: string[]) {
  const { env } = await answering(201, { success: true, data: { success: true, candidate } })
  return payroll([...create, '--ireland', ...options], { env, input: JSON.stringify(sent) })
}

/** Creates a candidate by the form, in the sandbox. */
const byForm = (home: string, ...more: string[]) =>
  completeForm(atTerminal([...create, ...more], { home }), { ...firstAnswers, 'What next?': 'Send' })

describe('after an Irish candidate was created', () => {
  test('nothing is said where all that was sent came back', async () => {
    const sent = { generalSetting: { agencyRef: 'A-17', hours: 39 }, payrollSetting: { taxBasis: 'W1M1' } }
    const answered = {
      id: 'c1',
      agencyRef: 'A-17',
      hours: 39,
      status: 'ACTIVE',
      setting: { taxBasis: 'W1M1' },
    }
    expect(await answeredWith(sent, answered)).toMatchObject(
      endedWith(0, /^Created an Irish candidate on http:\S+\.\n$/),
    )
  })

  test('what the service holds differently is named, masked where it is sensitive', async () => {
    const sent = {
      generalSetting: { agencyRef: 'A-17', city: 'cork', DOB: '1991-03-14', address: ['1 Example Street'] },
      bankSetting: { IBANReference: 'IE29AIBK93115212345678' },
      payrollSetting: { payrollApproveNeeded: 'true', holidayPayRate: 8.33 },
    }
    const answered = {
      ...{ id: 'c1', agencyRef: 'A-17', city: 'Cork', DOB: '1991-03-14', address: [] },
      bank: { IBANReference: 'IE29AIBK93115212345679' },
      setting: { payrollApproveNeeded: true, holidayPayRate: 8.33 },
    }
    const { code, err, json } = await answeredWith(sent, answered)
    expect([code, json()]).toMatchObject([0, answered])
    expect(err.split('\n').slice(-5)).toEqual([
      'The service stored these fields differently from what was sent:',
      '  generalSetting.address: 1 Example Street → (empty)',
      '  generalSetting.city: cork → Cork',
      '  bankSetting.IBANReference: ******678 → ******679',
      '',
    ])
    expect((await answeredWith(sent, answered, '--quiet')).err).not.toContain('differently')
    expect((await answeredWith(sent, answered, '--reveal')).err).toContain('IE29AIBK93115212345679')
  })

  test('the fields of a part that did not come back are named as not compared', async () => {
    const sent = { payrollSetting: { taxBasis: 'W1M1', USCTier: 'STANDARD' } }
    const { err } = await answeredWith(sent, { id: 'c1' })
    expect(err).toContain('cannot be compared: payrollSetting.taxBasis, payrollSetting.USCTier.')
    expect(err).not.toContain('stored these fields differently')
  })

  test('no field of a rate is called different where the answer has its id alone', async () => {
    const { env } = await answering(201, { data: { id: 'r1' }, success: true })
    const { code, err, json } = await payroll(['payment-rates', 'create', '--set', 'code=NIGHT'], { env })
    expect([code, json(), err]).toEqual([
      0,
      { id: 'r1' },
      expect.stringContaining('cannot be compared: code.'),
    ])
    expect(err).not.toContain('differently')
  })

  test.each([
    { data: 'r1', success: true },
    { message: 'Payment rate created', success: true },
    { receipt: 'R-7', state: 'NEW', success: true },
  ])(
    'no field of a rate is called different or hidden where the answer is %j, which a script is given',
    async (answer) => {
      const { env } = await answering(201, answer)
      const { code, err, json } = await payroll(['payment-rates', 'create', '--set', 'code=NIGHT'], { env })
      expect([code, json()]).toMatchObject([0, { created: true, id: null, ...answer }])
      expect(err).toContain('the service says that the record was created, but did not return it')
      expect(err).toContain('To look it up now: payroll payment-rates get NIGHT')
      expect(err).not.toMatch(/differently|compared/)
    },
  )

  test('the fields that were sent and that no answer returns are listed once, and no others', async () => {
    const pensionSetting = { scheme: 'Example Pension', optState: 'ignition', isSalarySacrifice: false }
    const sent = { generalSetting: { department: null, pensionSetting } }
    const { err } = await answeredWith(sent, { id: 'c1', pensionSetting: { optState: 'ignition' } })
    expect(err).toContain(
      'The service does not show these fields, so they cannot be compared: generalSetting.pensionSetting.scheme, generalSetting.pensionSetting.isSalarySacrifice.\n',
    )
    expect(err).not.toContain('differently')
  })

  test('a person is told the id', async () => {
    const { err } = await byForm(freshHome(), '--ireland')
    expect(err).toMatch(/Created Aoife.* on sandbox\.\nIts id is [0-9a-f-]{36}\.\n/)
  })
})

test('after a UK candidate was created a person is told the command that shows the record, though no id came back', async () => {
  const home = freshHome()
  const { err } = await byForm(home)
  const words = wordsOf(/To see it: payroll (.*)\n/.exec(err)?.[1])
  const found = await payroll(['--profile', 'sandbox', ...words, '--json'], { home })
  expect(found.json()).toMatchObject({ agencyRef: 'A-17', forename: 'Aoife' })
  expect(err).not.toContain('--query')
})

describe('on a service whose list has its people under the names of the request', () => {
  const person = (agencyRef: string) => ({ id: `id-${agencyRef}`, generalSetting: { agencyRef } })
  const createA17 = [...create, '--set', 'agencyRef=A-17', '--json']
  const lists = (isCreated: boolean) =>
    service(({ method, url }, response) => {
      if (method === 'POST') return isCreated ? response.writeHead(201).end() : response.destroy()
      if (url.endsWith('/id-A-17')) return answerJson(response, 200, { data: person('A-17') })
      answerJson(response, 200, { data: [person('A-16'), person('A-17')], totalDocs: 2 })
    })

  test('candidates create --find shows the person who was created', async () => {
    const run = await payroll([...createA17, '--find'], await lists(true))
    expect([run.code, run.json()]).toEqual([0, person('A-17')])
  })

  test('the command that looks for a lost one finds it', async () => {
    const { env } = await lists(false)
    // What the list does not show cannot be compared, so this run leaves it open.
    const { hint } = (await payroll([...createA17, '--set', 'city=Leeds'], { env })).error()
    const words = wordsOf(/record exists: payroll (.*)$/.exec(hint)?.[1])
    expect((await payroll(words, { env })).json()).toEqual(person('A-17'))
  })
})

describe('when nobody knows whether it was created', () => {
  const odd = 'O\'Brien "$(touch /tmp/x)" `x`!'
  const byEmail = 'email=aoife@example.com'
  const sheetOf = 'timesheets create --set subcontractorRef='

  test.each([
    [asTyped`${create} --set agencyRef=A-17`, asTyped`candidates get A-17 --reference`],
    [asTyped`${create} --ireland --set agencyRef=-17`, asTyped`candidates get --reference --ireland -- -17`],
    [
      asTyped`${create} --ireland --set email=aoife@example.com`,
      asTyped`candidates list --ireland --where ${byEmail}`,
    ],
    [asTyped`${create} --set forename=Ann`, asTyped`candidates list`],
    [asTyped`payment-rates create --set code=${odd}`, asTyped`payment-rates get ${odd} --reference`],
    [`${sheetOf}A-17`.split(' '), asTyped`timesheets list --where subcontractorRef=A-17`],
    [`${sheetOf}O'Brien`.split(' '), asTyped`timesheets list --where subcontractorRef=O'Brien`],
    [asTyped`documents create --employee id:e1 --set name=scan.png`, asTyped`documents list --employee e1`],
  ])('of %j the hint names the command that shows it: %j', async (argv, words) => {
    const { env, received } = await service((_request, response) => response.destroy())
    const run = await payroll([...argv, '--json'], { env })
    expect([run.code, run.error()]).toMatchObject([8, { code: 'unknown', outcome: 'unknown' }])
    const [, command] =
      /checked whether the record exists(?:, under another name too)?: payroll (.*)$/.exec(
        run.error().hint,
      ) ?? []
    expect(wordsOf(command)).toEqual(words)
    expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('a reference that cannot be seen or copied is not searched by', async () => {
    const { env } = await service((_request, response) => response.destroy())
    const input = JSON.stringify({ generalSetting: { agencyRef: 'A\u200B17', email: 'aoife@example.com' } })
    expect((await payroll([...create, '--json'], { env, input })).error().hint).toContain(byEmail)
  })
})

/** The words of a command as a shell reads them. */
function wordsOf(command = ''): string[] {
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
  return stdout.split('\0').slice(0, -1)
}
