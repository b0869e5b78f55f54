import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { asTyped, atTerminal, freshHome, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { completeForm, firstAnswers } from '../drafts/draft-fixture.ts'
import { candidateTargets } from '../targets.ts'

const [, _irish] = candidateTargets

/** Creates an Irish candidate where the service answers this of it. */
async function answeredWith(sent: unknown, candidate: unknown, ...options: string[]) {
  const { env } = await answering(201, { success: true, data: { success: true, candidate } })
  const argv = ['candidates', 'create', '--incomplete', '--ireland', ...options]
  return payroll(argv, { env, input: JSON.stringify(sent) })
}

describe('after an Irish candidate was created', () => {
  test('nothing is said where all that was sent came back', async () => {
    const sent = { generalSetting: { agencyRef: 'A-17', hours: 39 }, payrollSetting: { taxBasis: 'W1M1' } }
    const { code, err } = await answeredWith(sent, {
      id: 'c1',
      agencyRef: 'A-17',
      hours: 39,
      status: 'ACTIVE',
      setting: { taxBasis: 'W1M1' },
    })
    expect([code, err]).toEqual([0, expect.stringMatching(/^Created an Irish candidate on http:\S+\.\n$/)])
  })

  test('what the service holds differently is named, masked where it is sensitive', async () => {
    const sent = {
      generalSetting: { agencyRef: 'A-17', city: 'cork', DOB: '1991-03-14', address: ['1 Example Street'] },
      bankSetting: { IBANReference: 'IE29AIBK93115212345678' },
      payrollSetting: { payrollApproveNeeded: 'true', holidayPayRate: 8.33 },
    }
    const answered = {
      id: 'c1',
      agencyRef: 'A-17',
      city: 'Cork',
      DOB: '1991-03-14',
      address: [],
      bank: { IBANReference: 'IE29AIBK93115212345679' },
      setting: { payrollApproveNeeded: true, holidayPayRate: 8.33 },
    }
    const { code, err, json } = await answeredWith(sent, answered)
    expect(code).toBe(0)
    expect(err.split('\n').slice(-5)).toEqual([
      'The service stored these fields differently from what was sent:',
      '  generalSetting.address: 1 Example Street → (empty)',
      '  generalSetting.city: cork → Cork',
      '  bankSetting.IBANReference: ******678 → ******679',
      '',
    ])
    expect(json()).toEqual(answered)
    expect((await answeredWith(sent, answered, '--quiet')).err).not.toContain('differently')
    expect((await answeredWith(sent, answered, '--reveal')).err).toContain('IE29AIBK93115212345679')
  })

  test('a part that did not come back is named field by field', async () => {
    const sent = { payrollSetting: { taxBasis: 'W1M1', USCTier: 'STANDARD' } }
    const { err } = await answeredWith(sent, { id: 'c1' })
    expect(err).toContain('  payrollSetting.taxBasis: W1M1 → (not set)\n')
    expect(err).toContain('  payrollSetting.USCTier: STANDARD → (not set)\n')
  })

  test('the fields that were sent and that no answer returns are listed once, and no others', async () => {
    const pensionSetting = { scheme: 'Example Pension', optState: 'ignition', isSalarySacrifice: false }
    const { err } = await answeredWith(
      { generalSetting: { department: null, pensionSetting } },
      { id: 'c1', pensionSetting: { optState: 'ignition' } },
    )
    expect(err).toContain(
      'The service does not return these fields, so they cannot be compared: generalSetting.pensionSetting.scheme, generalSetting.pensionSetting.isSalarySacrifice.\n',
    )
    expect(err).not.toContain('differently')
  })

  test('a person is told the id', async () => {
    const { err } = await completeForm(atTerminal(['candidates', 'create', '--incomplete', '--ireland']), {
      ...firstAnswers,
      'What next?': 'Send',
    })
    expect(err).toMatch(/Created Aoife.* on sandbox\.\nIts id is [0-9a-f-]{36}\.\n/)
  })
})

test('after a UK candidate was created a person is told the command that shows the record, though no id came back', async () => {
  const home = freshHome()
  const { err } = await completeForm(atTerminal(['candidates', 'create', '--incomplete'], { home }), {
    ...firstAnswers,
    'What next?': 'Send',
  })
  const [, command = ''] = /To see it: payroll (.*)\n/.exec(err) ?? []
  const words = wordsOf(command)
  const found = await payroll(['--profile', 'sandbox', ...words, '--json'], { home })
  expect(found.json()).toMatchObject({ agencyRef: 'A-17', forename: 'Aoife' })
  expect(err).not.toContain('--query')
})

describe('on a service whose list has its people under the names of the request', () => {
  const person = (agencyRef: string) => ({ id: `id-${agencyRef}`, generalSetting: { agencyRef } })
  const create = ['candidates', 'create', '--incomplete', '--set', 'generalSetting.agencyRef=A-17', '--json']
  const lists = (status: number) =>
    service(({ method, url }, response) => {
      if (method === 'POST' && status === 201) return response.writeHead(201).end()
      if (method === 'POST') return response.destroy()
      if (url.endsWith('/id-A-17')) return answerJson(response, 200, { data: person('A-17') })
      answerJson(response, 200, { data: [person('A-16'), person('A-17')], totalDocs: 2 })
    })

  test('--find shows the person who was created', async () => {
    const { env } = await lists(201)
    const run = await payroll([...create, '--find'], { env })
    expect([run.code, run.json()]).toEqual([0, person('A-17')])
  })

  test('the command that looks for a lost one finds it', async () => {
    const { env } = await lists(0)
    const home = freshHome()
    // What the list does not show cannot be compared, so this run leaves it open.
    const { hint } = (await payroll([...create, '--set', 'generalSetting.city=Leeds'], { home, env })).error()
    const words = wordsOf(/record exists: payroll (.*)$/.exec(hint)?.[1] ?? '')
    expect((await payroll(words, { home, env })).json()).toEqual(person('A-17'))
  })
})

describe('when nobody knows whether it was created', () => {
  const candidate = 'candidates create --incomplete'.split(' ')
  const odd = 'O\'Brien "$(touch /tmp/x)" `x`!'
  const byEmail = "[?email=='aoife@example.com' || generalSetting.email=='aoife@example.com']"
  const ofBrien = "[?subcontractorRef=='O\\'Brien']"

  test.each([
    [asTyped`${candidate} --set agencyRef=A-17`, asTyped`candidates get A-17 --reference`],
    [
      asTyped`${candidate} --ireland --set agencyRef=-17`,
      asTyped`candidates get --reference --ireland -- -17`,
    ],
    [
      asTyped`${candidate} --ireland --set email=aoife@example.com`,
      asTyped`candidates list --ireland --json --query ${byEmail}`,
    ],
    [asTyped`${candidate} --set forename=Ann`, asTyped`candidates list`],
    [asTyped`payment-rates create --set code=${odd}`, asTyped`payment-rates get ${odd} --reference`],
    [
      asTyped`timesheets create --set subcontractorRef=A-17`,
      asTyped`timesheets list --json --query ${"[?subcontractorRef=='A-17']"}`,
    ],
    [
      asTyped`timesheets create --set subcontractorRef=${"O'Brien"}`,
      asTyped`timesheets list --json --query ${ofBrien}`,
    ],
    [
      asTyped`documents create --employee id:e1 --set name=scan.png`,
      asTyped`documents get scan.png --reference --employee e1`,
    ],
  ])('of %j the hint names the command that shows it: %j', async (argv, words) => {
    const { env, received } = await service((_request, response) => response.destroy())
    const run = await payroll([...argv, '--json'], { env })
    expect(run.code).toBe(8)
    expect(run.error()).toMatchObject({ code: 'unknown', outcome: 'unknown' })
    const [, command = ''] = /checked whether the record exists: payroll (.*)$/.exec(run.error().hint) ?? []
    expect(wordsOf(command)).toEqual(words)
    expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('a reference that cannot be seen or copied is not searched by', async () => {
    const { env } = await service((_request, response) => response.destroy())
    const input = JSON.stringify({ generalSetting: { agencyRef: 'A\u200B17', email: 'a@example.com' } })
    const run = await payroll(asTyped`candidates create --incomplete --json`, {
      env,
      input,
    })
    expect(run.error().hint).toContain("[?email=='a@example.com' || generalSetting.email=='a@example.com']")
  })
})

/** The words of a command as a shell reads them. */
function wordsOf(command: string): string[] {
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
  return stdout.split('\0').slice(0, -1)
}
