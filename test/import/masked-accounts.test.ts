import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'
import { keepingPeople } from '../people-service.ts'

/** A service that shows the last four digits of an account number, and counts its ids from one. */
async function office() {
  const { env, received, people } = await keepingPeople(({ bankSetting }) => ({
    bank: { ...bankSetting, accountNumber: `****${bankSetting?.accountNumber?.slice(-4)}` },
  }))
  const home = freshHome()
  const file = join(home, 'people.csv')
  const account = '31926819'
  const heading = 'agencyRef,forename,surname,DOB,city,sortCode,accountNumber'
  writeFileSync(file, `${heading}\nUK-1,Ann,Sample,1990-01-02,Leeds,601613,${account}\n`)
  const run = (...words: string[]) => payroll(['candidates', ...words, '--yes', '--json'], { home, env })
  return {
    people,
    account,
    run,
    night: () => run('import', file, '--uk', '--update', '--bank', '--settle', '0'),
    pays: (other: string) => writeFileSync(file, readFileSync(file, 'utf8').replace(account, other)),
    puts: () => received.filter(({ method }) => method === 'PUT').length,
  }
}

describe('where a service shows a mask of an account number', () => {
  test('an import of the same file sends nothing the second night', async () => {
    const { night, puts } = await office()
    expect(await night()).toMatchObject({ code: 0 })
    for (const _ of [2, 3]) {
      const { code, json, err } = await night()
      expect([code, json(), puts()]).toMatchObject([0, { unchanged: 1, updated: 0, unresolved: 0 }, 0])
      expect(err).not.toContain('changed on the service since')
    }
  })

  test('it sends another account once, and what is masked afterwards is no doubt', async () => {
    const { night, pays, puts, people } = await office()
    await night()
    pays('31926777')
    expect((await night()).json()).toMatchObject({ updated: 1, unresolved: 0 })
    expect([puts(), people[0].bankSetting.accountNumber]).toEqual([1, '31926777'])
    expect((await night()).json()).toMatchObject({ unchanged: 1, updated: 0 })
    expect(puts()).toBe(1)
  })

  test('it sends the account again whose last digits are other ones than it set', async () => {
    const { night, people, puts, account } = await office()
    await night()
    people[0].bankSetting.accountNumber = '99991111'
    expect((await night()).json()).toMatchObject({ updated: 1 })
    expect([puts(), people[0].bankSetting.accountNumber]).toEqual([1, account])
  })

  test('an update does not say that the mask was stored in place of the account', async () => {
    const { night, run } = await office()
    await night()
    const { code, json, err } = await run('update', 'UK-1', '--set', 'bankSetting.accountNumber=31926777')
    expect([code, json().warnings]).toEqual([0, undefined])
    expect(err).toContain('so they cannot be compared: bankSetting.accountNumber')
  })
})
