import { describe, expect, test } from 'vitest'
import { atTerminal, freshHome, payroll } from '../../payroll.ts'
import { keepingPeople } from '../../people-service.ts'
import { answerForm, enterBut } from '../../prompts/form-driver.ts'
import { answerJson, service } from '../../service.ts'
import { wholeFor } from '../../whole-record.ts'
import { type Behaviour, updateOne } from './one-record.ts'

const rate = { id: 'r1', code: 'NIGHT', description: 'Night', hoursPerUnit: '7.5' }
const words = 'payment-rates update r1 --set description=Nights'
const person = {
  ...{ id: 'c1', surname: 'Lee', NINumber: null, DOB: null },
  bank: { accountNumber: '31926819', sortCode: '601613' },
  setting: {},
}
const corrected = { ...person, bank: { ...person.bank, accountNumber: '55779911' } }

describe('a record that somebody else changes while it is updated', () => {
  test('is not written over: exit 6, with what changed, and nothing is sent, with --yes or not', async () => {
    const reads = [rate, { ...rate, hoursPerUnit: '8', code: undefined }]
    for (const yes of ['', ' --yes']) {
      const { run, puts } = await updateOne(`${words} --json${yes}`, { reads })
      expect([run.code, run.out, puts]).toEqual([6, '', []])
      expect(run.error()).toMatchObject({
        code: 'refused',
        outcome: 'not-sent',
        message: 'Somebody changed r1 after it was read, and the update would undo that. Nothing was sent.',
        issues: [
          { path: 'code', message: 'NIGHT → (not set)' },
          { path: 'hoursPerUnit', message: '7.5 → 8' },
        ],
        hint: expect.stringContaining('payroll payment-rates get r1'),
      })
    }
  })

  test.each([
    ['', '******819 → ******911'],
    [' --reveal', '31926819 → 55779911'],
  ])('shows the account number that somebody else gave with "%s" as %s', async (reveal, shown) => {
    const smith = `candidates update c1 --set generalSetting.surname=Smith${reveal}`
    const { run, puts } = await updateOne(smith, { reads: [person, corrected] })
    expect([run.code, puts]).toEqual([6, []])
    expect(run.err).toContain(`bankSetting.accountNumber: ${shown}`)
  })

  /** A service whose record is corrected after it was read for the first time. */
  const meanwhile = async () => {
    let gets = 0
    return service((_, response) =>
      answerJson(response, 200, { data: wholeFor(['candidates'], gets++ === 0 ? person : corrected).record }),
    )
  }

  test('is not written over from an editor or the form, and its account number is masked in what is said', async () => {
    const edited = await meanwhile()
    const editor = { EDITOR: 'sed -i s/Lee/Smith/', PATH: process.env.PATH ?? '' }
    const argv = ['candidates', 'update', 'c1', '--id']
    const byEditor = await payroll([...argv, '--edit'], { env: { ...edited.env, ...editor } })
    const asked = await meanwhile()
    const terminal = atTerminal(argv, { env: asked.env })
    const replies = { 'What next?': ['Edit', 'Send'], 'Which part?': 'Person', Surname: 'Smith' }
    await answerForm(terminal, enterBut(replies))
    for (const { code, err } of [byEditor, await terminal.ended]) {
      expect([code, err]).toEqual([
        6,
        expect.stringContaining('bankSetting.accountNumber: ******819 → ******911'),
      ])
    }
    expect(byEditor.err).not.toMatch(/31926819|55779911/)
    for (const { received } of [edited, asked])
      expect(received.map(({ method }) => method)).toEqual(['GET', 'GET'])
  })

  test('is updated when only a field that the document does not have has moved, which is sent as it is now', async () => {
    const at = (lastSeenAt: string, more = {}) => ({ ...rate, ...more, lastSeenAt })
    const reads = [at('10:00'), at('10:01'), at('10:02', { description: 'Nights' })]
    const { run, puts } = await updateOne(words, { reads })
    expect([run.code, puts]).toMatchObject([0, [{ description: 'Nights', lastSeenAt: '10:01' }]])
  })

  test('is updated with what an editor wrote in such a field, though the service has moved it meanwhile', async () => {
    const seenAt = ['10:00', '10:01', '09:00']
    const { env, received } = await service(({ method }, response) => {
      if (method === 'PUT') return void response.writeHead(204).end()
      const data = wholeFor(['payment-rates'], { ...rate, lastSeenAt: seenAt.shift() }).record
      answerJson(response, 200, { data, success: true })
    })
    const editor = { EDITOR: 'sed -i s/10:00/09:00/', PATH: process.env.PATH ?? '' }
    const run = await payroll('payment-rates update r1 --id --edit'.split(' '), {
      env: { ...env, ...editor },
    })
    const sent = received.find(({ method }) => method === 'PUT')?.body ?? 'null'
    expect([run.code, JSON.parse(sent)]).toMatchObject([0, { lastSeenAt: '09:00' }])
  })

  test('is updated when only the times of the service itself have moved', async () => {
    const { run, puts } = await updateOne(words, {
      reads: ['2026-04-06', '2026-04-07'].map((updatedAt) => ({ ...rate, updatedAt })),
      answer: (sent) => ({ ...rate, ...sent, hoursPerUnit: '7.5' }),
    })
    expect([run.code, puts.length]).toEqual([0, 1])
  })
})

describe('the ETag of a record', () => {
  const renamed: Behaviour = { reads: [rate], answer: (sent) => ({ ...rate, ...sent, hoursPerUnit: '7.5' }) }

  test.each<[etag: string | undefined, named: string | undefined, gzip?: boolean]>([
    [undefined, undefined],
    ['"v1"', '"v1"'],
    // RFC 9110, 13.1.1: If-Match compares strongly, so that a weak one is never equal.
    ['W/"v1"', undefined],
    ['v1', undefined],
    // RFC 9110, 8.8.3: the tag is of the compressed bytes, and some servers change it: "v1-gzip".
    ['"v1"', undefined, true],
    ['"v1-gzip"', undefined, true],
    ['W/"v1"', undefined, true],
  ])('%s is named by the update as %s; compressed: %s', async (etag, named, gzip = false) => {
    const { run, ifMatch } = await updateOne(words, { ...renamed, ...(etag && { etag }), gzip })
    expect([run.code, ifMatch]).toEqual([0, [named]])
  })

  test('is shown by --dry-run', async () => {
    const { run } = await updateOne(`${words} --dry-run`, { reads: [rate], etag: '"v1"' })
    expect(run.json().headers).toMatchObject({ 'If-Match': '"v1"' })
  })

  test('that the record has no more because somebody changed it right then is exit 6 too', async () => {
    const changed = { ...rate, hoursPerUnit: '8' }
    const reads = [rate, rate, changed]
    const { run } = await updateOne(`${words} --json`, {
      reads,
      answer: () => ({}),
      status: 412,
      etag: '"v1"',
    })
    expect(run.code).toBe(6)
    expect(run.error()).toMatchObject({ outcome: 'refused', status: 412 })
  })
})

test('two updates of one record at one moment lose the change of neither', async () => {
  const { env, people } = await keepingPeople(() => ({}))
  people.push({ generalSetting: { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample' } })
  const home = freshHome()
  const update = (set: string) =>
    payroll(
      [
        'candidates',
        'update',
        'UK-1',
        '--uk',
        '--yes',
        '--incomplete',
        '--allow-missing',
        'pension',
        '--set',
        set,
      ],
      { home, env: { ...env, PAYROLL_EMPTY_FIELDS: 'left-out' } },
    )
  for (const round of ['One', 'Two', 'Three']) {
    const [city, county] = await Promise.all([update(`city=${round}`), update(`county=${round}`)])
    const { generalSetting: now } = people[0]
    expect([city.code, county.code]).toContain(0)
    expect([now.city === round, now.county === round]).toEqual([city.code === 0, county.code === 0])
  }
})
