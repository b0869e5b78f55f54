import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { keepingPeople } from '../../people-service.ts'

/** A service that puts objects into each record that no request has. */
async function office() {
  const { env, people } = await keepingPeople(() => ({ insurance: { scheme: 'S' }, audit: { by: 'Nobody' } }))
  const home = freshHome()
  const csv = join(home, 'people.csv')
  const save = (city: string) =>
    writeFileSync(csv, `agencyRef,forename,surname,DOB,city\nUK-1,Ann,Sample,1990-01-02,${city}\n`)
  const run = (...words: string[]) => payroll(['candidates', ...words, '--yes'], { home, env })
  const night = (...words: string[]) => run('import', csv, '--update', '--settle', '0', '--json', ...words)
  save('Leeds')
  await night()
  return { people, save, run, night, city: () => people[0].generalSetting.city }
}

const allowed = ['--allow-missing', 'insurance', '--allow-missing', 'audit']

describe('a record with objects that no request has', () => {
  test('is updated without them where that is allowed, and the refusal names the command', async () => {
    const { run, people, city } = await office()
    const words = ['update', 'UK-1', '--set', 'city=York']
    const refused = await run(...words, '--errors', 'json')
    const { hint, next } = refused.error()
    const command = `payroll candidates update UK-1 --set city=York --errors json --yes ${allowed.join(' ')}`
    expect([refused.code, city(), hint, next[0]]).toEqual([
      10,
      'Leeds',
      expect.stringContaining(`To send it without insurance and audit: ${command}.`),
      command,
    ])
    expect(await run(...words, '--allow-missing', 'insurance')).toMatchObject({ code: 10 })
    const { code, err } = await run(...words, ...allowed)
    expect([code, city(), people[0].insurance]).toEqual([0, 'York', undefined])
    expect(err).toContain('insurance and audit have no place in a UK candidate, and are not sent back.')
  })

  test('holds its row of an import, whose command allows it', async () => {
    const { night, save, city } = await office()
    save('York')
    const held = await night()
    expect([held.code, city(), held.err]).toEqual([
      9,
      'Leeds',
      expect.stringContaining('--allow-missing=insurance --allow-missing=audit'),
    ])
    expect(held.err).toContain('than payroll can send back (insurance and audit)')
    expect((await night('--allow-missing=insurance', '--allow-missing=audit')).code).toBe(0)
    expect(city()).toBe('York')
  })
})
