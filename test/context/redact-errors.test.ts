import { describe, expect, test } from 'vitest'
import { body } from '../commands/targets.ts'
import { payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'
import { wholeFor } from '../whole-record.ts'

const candidate = body('examples/candidate-uk.json')
const { generalSetting, bankSetting } = candidate
const personal = [
  generalSetting.DOB.slice(0, 10),
  generalSetting.NINumber ?? candidate.payrollSetting.NINumber,
  bankSetting.sortCode,
  bankSetting.accountNumber,
].filter((value) => value !== undefined)

/** A service that refuses a write, quoting everything it was sent. */
const quoting = () =>
  service(({ method, body }, response) => {
    if (method === 'GET')
      return answerJson(response, 200, {
        data: wholeFor(['candidates'], {
          ...{ id: 'c1', city: 'Leeds', forename: 'Ann', surname: 'Sample' },
          ...{ bank: bankSetting, setting: {}, pensionSetting: {} },
        }).record,
      })
    const quoted = JSON.stringify(
      Object.values(JSON.parse(body)).map((part) => Object.values(part as object)),
    )
    const details = personal.map((value) => ({ path: `field.${value}`, message: `${value} is wrong` }))
    answerJson(response, 422, { error: { message: `Wrong: ${personal.join(', ')}. ${quoted}`, details } })
  })

const run = async (argv: readonly string[]) => {
  const { env } = await quoting()
  return payroll(argv, { env, input: JSON.stringify(candidate) })
}

const create = ['candidates', 'create', '--incomplete', '--file', '-']

describe('a refusal that quotes what was sent', () => {
  test.each([[['--json']], [['-o', 'table']], [['--debug', '--json']]])(
    'masks what is sensitive of it with %j',
    async (options) => {
      const { code, out, err } = await run([...create, ...options])
      expect([code, out]).toEqual([6, ''])
      expect(err).toContain('Wrong: ')
      expect(err).toContain(' is wrong')
      for (const value of personal) expect(err).not.toContain(value)
    },
  )

  test('keeps the place and everything else of the failure', async () => {
    const error = (await run([...create, '--json'])).error()
    expect(error).toMatchObject({ code: 'refused', outcome: 'refused', status: 422, method: 'POST' })
    expect(error.issues).toHaveLength(personal.length)
    expect(error.issues.at(-1)).toEqual({ path: 'field.******819', message: '******819 is wrong' })
  })

  test('masks what an update sends again without having been given it', async () => {
    const argv = ['candidates', 'update', 'c1', '--id', '--json', '--set', 'generalSetting.forename=Eve']
    const { code, err } = await run(argv)
    expect(code).toBe(6)
    expect(err).toContain('Wrong: ')
    for (const value of [bankSetting.sortCode, bankSetting.accountNumber]) expect(err).not.toContain(value)
  })

  test('is told in full with --reveal', async () => {
    const { err } = await run([...create, '--json', '--reveal'])
    for (const value of personal) expect(err).toContain(value)
  })
})
