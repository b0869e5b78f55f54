import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'
import { keepingPeople } from '../people-service.ts'

/** A service that has one person, and shows the National Insurance number at first. */
async function office({ ignores = false } = {}) {
  let isHiding = false
  const hiding = () => (isHiding ? { NINumber: undefined } : {})
  const { env, received, people } = await keepingPeople(hiding, undefined, { ignores })
  const home = freshHome()
  const file = join(home, 'people.csv')
  const number = 'AB123456C'
  writeFileSync(
    file,
    `agencyRef,forename,surname,DOB,city,NINumber\nUK-1,Ann,Sample,1990-01-02,Leeds,${number}\n`,
  )
  const run = (...words: string[]) => payroll(['candidates', ...words, '--yes', '--json'], { home, env })
  return {
    people,
    run,
    hide: () => {
      isHiding = true
    },
    night: () => run('import', file, '--uk', '--update', '--settle', '0'),
    says: (from: string, to: string) => writeFileSync(file, readFileSync(file, 'utf8').replace(from, to)),
    puts: () => received.filter(({ method }) => method === 'PUT').length,
  }
}

describe('where a service has shown a field, and then hides it', () => {
  test('an import of the same file sends nothing on any night', async () => {
    const { night, hide, puts } = await office()
    expect(await night()).toMatchObject({ code: 0 })
    expect((await night()).json()).toMatchObject({ unchanged: 1 })
    hide()
    for (const _ of [3, 4]) {
      const { code, json } = await night()
      expect([code, json(), puts()]).toMatchObject([0, { unchanged: 1, updated: 0, unresolved: 0 }, 0])
    }
  })

  test('it sends another value once, which then cannot be compared', async () => {
    const { night, hide, says, puts, people } = await office()
    await night()
    hide()
    says('AB123456C', 'AB123499C')
    expect(await night()).toMatchObject({ code: 0 })
    expect([puts(), people[0].generalSetting.NINumber]).toEqual([1, 'AB123499C'])
    expect((await night()).json()).toMatchObject({ unchanged: 1, updated: 0 })
    expect(puts()).toBe(1)
  })

  test('what somebody changed is named by its field, and what is not seen is not', async () => {
    const { night, hide, puts, people } = await office()
    await night()
    hide()
    people[0].generalSetting.city = 'York'
    const { code, json, err } = await night()
    expect([code, puts(), people[0].generalSetting.city]).toEqual([0, 1, 'Leeds'])
    expect(JSON.stringify(json()) + err).toContain('column E (city)')
    expect(err).not.toContain('NINumber')
  })

  test('an update of the field is applied, and says that it cannot be compared', async () => {
    const { night, hide, run } = await office()
    await night()
    hide()
    const { code, err } = await run('update', 'UK-1', '--set', 'NINumber=AB123499C')
    expect(code, err).toBe(0)
    expect(err).toContain('so they cannot be compared: generalSetting.NINumber')
  })

  test('a field that nobody knows to be hidden still has to be there', async () => {
    const { night, hide, people, run, says } = await office({ ignores: true })
    says(',AB123456C', ',')
    await night()
    hide()
    expect(people[0].generalSetting.NINumber).toBeUndefined()
    expect(await run('update', 'UK-1', '--set', 'NINumber=AB123499C')).toMatchObject({ code: 8 })
  })
})
