import { expect, test } from 'vitest'
import { atTerminal, endedWith, payroll } from '../../payroll.ts'
import { startSandbox } from '../../start-sandbox.ts'

/** A sandbox, and the number of somebody else in it. */
async function somebodyElse(country: '--uk' | '--ireland') {
  const at = await startSandbox({ seeded: true })
  const list = await payroll(['candidates', 'list', country, '--json'], at)
  const people: any[] = list.json()
  const numberOf = (one: any): string => one.NINumber ?? one.setting?.ppsNumber
  const [one, other] = people.filter((each) => numberOf(each))
  const name = country === '--uk' ? 'NINumber' : 'ppsNumber'
  const argv = ['candidates', 'update', one.agencyRef, country, '--set', `${name}=${numberOf(other)}`]
  const now = async () =>
    numberOf((await payroll(['candidates', 'get', one.id, country, '--json'], at)).json())
  return { at, argv, one, other, now, numberOf }
}

test.each(['--uk', '--ireland'] as const)(
  'an update %s that gives somebody the number of another person is not sent by a script, unless --same-person says so',
  async (country) => {
    const { at, argv, one, other, now, numberOf } = await somebodyElse(country)
    const run = await payroll([...argv, '--yes'], at)
    expect(run).toMatchObject(endedWith(3, `${one.agencyRef} has the same `))
    expect(run.err).toContain(other.agencyRef)
    expect(run.err).toContain('To send it anyway, add --same-person')
    expect(await now()).toBe(numberOf(one))
    expect(await payroll([...argv, '--yes', '--same-person'], at)).toMatchObject({ code: 0 })
    expect(await now()).toBe(numberOf(other))
    // What is so already is no change.
    const again = ['candidates', 'update', one.agencyRef, country, '--set', 'city=York', '--yes']
    expect(await payroll(again, at)).toMatchObject({ code: 0 })
  },
)

test('at a terminal it is asked about, and no sends nothing', async () => {
  const { at, argv, one, now, numberOf } = await somebodyElse('--uk')
  const terminal = atTerminal(argv, at)
  await terminal.type('Send it anyway?', 'n\r')
  expect((await terminal.ended).code).toBe(2)
  expect(await now()).toBe(numberOf(one))
})
