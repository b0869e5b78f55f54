import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, freshHome, payroll } from '../../payroll.ts'
import { answerForm, enterBut } from '../../prompts/form-driver.ts'
import { answerJson, service } from '../../service.ts'
import { wholeFor } from '../../whole-record.ts'
import { updateOne } from './one-record.ts'

const rate = { id: 'r1', code: 'NIGHT', description: 'Night', hoursPerUnit: '7.5' }
const words = ['payment-rates', 'update', 'r1', '--set', 'description=Nights']
const person = {
  id: 'c1',
  surname: 'Lee',
  NINumber: null,
  DOB: null,
  bank: { accountNumber: '31926819', sortCode: '601613' },
  setting: {},
}
const corrected = { ...person, bank: { ...person.bank, accountNumber: '55779911' } }

describe('a record that somebody else changes while it is updated', () => {
  test('is not written over: exit 6, with what changed, and nothing is sent', async () => {
    const { run, puts } = await updateOne([...words, '--json'], {
      reads: [rate, { ...rate, hoursPerUnit: '8', code: undefined }],
    })
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
  })

  test('is not written over with --yes either', async () => {
    const { run, puts } = await updateOne([...words, '--yes'], {
      reads: [rate, { ...rate, hoursPerUnit: '8' }],
    })
    expect([run.code, puts]).toEqual([6, []])
  })

  test('shows the account number that somebody else gave only with --reveal', async () => {
    const smith = ['candidates', 'update', 'c1', '--set', 'generalSetting.surname=Smith']
    for (const [more, shown] of [
      [[], '******819 → ******911'],
      [['--reveal'], '31926819 → 55779911'],
    ] as const) {
      const { run, puts } = await updateOne([...smith, ...more], { reads: [person, corrected] })
      expect([run.code, puts]).toEqual([6, []])
      expect(run.err).toContain(`bankSetting.accountNumber: ${shown}`)
    }
  })

  test('is updated when only a field that the document does not have has moved, which is sent as it is now', async () => {
    const { run, puts } = await updateOne(words, {
      reads: [
        { ...rate, lastSeenAt: '10:00' },
        { ...rate, lastSeenAt: '10:01' },
        { ...rate, description: 'Nights', lastSeenAt: '10:02' },
      ],
    })
    expect(run.code).toBe(0)
    expect(puts).toEqual([expect.objectContaining({ description: 'Nights', lastSeenAt: '10:01' })])
  })

  test('is not written over from an editor, and its account number is masked in what is said', async () => {
    const home = freshHome()
    const editor = join(home, 'editor.mjs')
    writeFileSync(
      editor,
      `import { readFileSync, writeFileSync } from 'node:fs'
       const file = process.argv[2]
       writeFileSync(file, readFileSync(file, 'utf8').replace('Lee', 'Smith'))`,
    )
    let gets = 0
    const { env, received } = await service((_, response) =>
      answerJson(response, 200, { data: wholeFor(['candidates'], gets++ === 0 ? person : corrected).record }),
    )
    const run = await payroll(['candidates', 'update', 'c1', '--id', '--edit'], {
      home,
      env: { ...env, EDITOR: `${process.execPath} ${editor}`, PATH: process.env.PATH ?? '' },
    })
    expect(run.code).toBe(6)
    expect(run.err).toContain('  bankSetting.accountNumber: ******819 → ******911\n')
    expect(run.err).not.toMatch(/31926819|55779911/)
    expect(received.map(({ method }) => method)).toEqual(['GET', 'GET'])
  })

  test('is not written over from the form', async () => {
    let gets = 0
    const { env, received } = await service((_, response) =>
      answerJson(response, 200, { data: wholeFor(['candidates'], gets++ === 0 ? person : corrected).record }),
    )
    const terminal = atTerminal(['candidates', 'update', 'c1', '--id'], { env })
    await answerForm(
      terminal,
      enterBut({ 'What next?': ['Edit', 'Send'], 'Which part?': 'Person', Surname: 'Smith' }),
    )
    const { code, err } = await terminal.ended
    expect([code, received.map(({ method }) => method)]).toEqual([6, ['GET', 'GET']])
    expect(err).toContain('bankSetting.accountNumber: ******819 → ******911')
  })

  test('a record that somebody else changes while it is updated by the service alone is another matter: its own times are no change', async () => {
    const { run, puts } = await updateOne(words, {
      reads: [
        { ...rate, updatedAt: '2026-04-06T00:00:00.000Z' },
        { ...rate, updatedAt: '2026-04-07T00:00:00.000Z' },
      ],
      answer: (sent) => ({ ...rate, ...sent, hoursPerUnit: '7.5' }),
    })
    expect([run.code, puts]).toHaveLength(2)
    expect(run.code).toBe(0)
  })
})

describe('the ETag of a record', () => {
  const renamed = (sent: object) => ({ ...rate, ...sent, hoursPerUnit: '7.5' })

  test.each<[string, string | undefined]>([
    ['"v1"', '"v1"'],
    // RFC 9110, 13.1.1: If-Match compares strongly, so that a weak one is never equal.
    ['W/"v1"', undefined],
    ['v1', undefined],
  ])('%s is named by the update as %s', async (etag, named) => {
    const { run, ifMatch } = await updateOne(words, { reads: [rate], answer: renamed, etag })
    expect([run.code, ifMatch]).toEqual([0, [named]])
  })

  // RFC 9110, 8.8.3: the tag is of the compressed bytes, and some servers change it: "v1-gzip".
  test.each(['"v1"', '"v1-gzip"', 'W/"v1"'])(
    '%s of a compressed answer is not named by the update',
    async (etag) => {
      const { run, ifMatch } = await updateOne(words, { reads: [rate], answer: renamed, etag, gzip: true })
      expect([run.code, ifMatch]).toEqual([0, [undefined]])
    },
  )

  test('is shown by --dry-run', async () => {
    const { run } = await updateOne([...words, '--dry-run'], { reads: [rate], etag: '"v1"' })
    expect(run.json().headers).toMatchObject({ 'If-Match': '"v1"' })
  })

  test('is not sent where there is none', async () => {
    const { ifMatch } = await updateOne(words, { reads: [rate], answer: renamed })
    expect(ifMatch).toEqual([undefined])
  })

  test('the ETag of a record that the record has no more is exit 6, with nothing applied', async () => {
    const { run } = await updateOne([...words, '--json'], {
      reads: [rate],
      answer: () => ({}),
      status: 412,
      etag: '"v1"',
    })
    expect([run.code, run.out]).toEqual([6, ''])
    expect(run.error()).toMatchObject({
      code: 'refused',
      outcome: 'refused',
      status: 412,
      message:
        'The service refused the ETag that it gave a moment before (412), and the record r1 did not change meanwhile. Nothing was applied.',
      hint: expect.stringContaining('payroll api PUT /svc/payment-rate/r1 --file body.json'),
    })
  })
})
