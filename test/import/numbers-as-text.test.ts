import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'
import { keepingPeople } from '../people-service.ts'

/** A service that shows amounts as text with two decimals, a cut-off point as a number, and days as midnight. */
async function office(country: string, row: string) {
  const path = country === '--uk' ? '/svc/candidates' : '/svc/candidates/ireland'
  const { env, received, people } = await keepingPeople(({ generalSetting, payrollSetting }) => {
    const { rateHour, dateOfJoining } = generalSetting
    const { taxCreditAnnual } = payrollSetting ?? {}
    return {
      ...(rateHour && { rateHour: Number(rateHour).toFixed(2) }),
      ...(dateOfJoining && { dateOfJoining: `${dateOfJoining}T00:00:00.000Z` }),
      ...(taxCreditAnnual && { setting: { ...payrollSetting, taxCreditAnnual: Number(taxCreditAnnual) } }),
    }
  }, path)
  const home = freshHome()
  const file = join(home, 'people.csv')
  writeFileSync(file, row)
  const run = (...words: string[]) => payroll([...words, '--yes', '--json'], { home, env })
  return {
    people,
    run,
    candidates: (...words: string[]) => run('candidates', ...words, country),
    write: (text: string) => writeFileSync(file, text),
    night: () => run('candidates', 'import', file, country, '--update', '--settle', '0'),
    puts: () => received.filter(({ method }) => method === 'PUT').length,
  }
}

test('where a service spaces the numbers of an account or a person, they are the same numbers', async () => {
  const pairs = (text: string, between: string) =>
    text.replaceAll(/[- ]/g, '').replaceAll(/(..)(?=.)/g, `$1${between}`)
  const { env, received } = await keepingPeople(({ generalSetting: { NINumber }, bankSetting }) => ({
    NINumber: pairs(NINumber, ' '),
    bank: { ...bankSetting, sortCode: pairs(bankSetting.sortCode, '-') },
  }))
  const home = freshHome()
  const run = (...words: string[]) => payroll([...words, '--yes', '--json'], { home, env })
  const file = join(home, 'people.csv')
  const pay = (sortCode: string) =>
    writeFileSync(
      file,
      `agencyRef,forename,surname,NINumber,sortCode,accountNumber\nUK-1,Ann,Sample,QQ123456A,${sortCode},31926819\n`,
    )
  const night = async () => {
    const { code, json } = await run('candidates', 'import', file, '--update', '--bank', '--settle', '0')
    const { unchanged, updated } = json()
    return { code, unchanged, updated }
  }
  const puts = () => received.filter(({ method }) => method === 'PUT').length
  pay('60-16-13')
  await night()
  expect([await night(), puts()]).toEqual([{ code: 0, unchanged: 1, updated: 0 }, 0])
  pay('20-20-15')
  expect(await night()).toEqual({ code: 0, unchanged: 0, updated: 1 })
  expect([await night(), puts()]).toEqual([{ code: 0, unchanged: 1, updated: 0 }, 1])
  const update = await run('candidates', 'update', 'UK-1', '--set', 'sortCode=404784', '--incomplete')
  expect(update).toMatchObject({ code: 0, err: expect.not.stringContaining('differently') })
  expect(await run('undo', '--last')).toMatchObject({ code: 0 })
  expect((await run('candidates', 'get', 'UK-1')).json().bank.sortCode).toBe('20-20-15')
})

describe('where a service stores a value in another way', () => {
  const withAnn = async (ways: {
    forename?: (name: string) => string
    rateHour?: (rate: number) => number
  }) => {
    const { env, received } = await keepingPeople(({ generalSetting: { forename, rateHour } }) => ({
      ...(ways.forename && { forename: ways.forename(forename) }),
      ...(ways.rateHour && { rateHour: ways.rateHour(rateHour) }),
    }))
    const home = freshHome()
    const file = join(home, 'people.csv')
    const run = (...words: string[]) => payroll([...words, '--yes', '--json'], { home, env })
    const night = async (forename: string, rate = '20') => {
      writeFileSync(file, `agencyRef,forename,surname,hourly rate\nUK-1,${forename},Sample,${rate}\n`)
      const words = ['candidates', 'import', file, '--update', '--settle', '0', '--incomplete']
      const { code, json, err } = await run(...words)
      const { unchanged, updated, unresolved } = json()
      return { code, unchanged, updated, unresolved, isSaid: err.includes('the service stored otherwise') }
    }
    await night('Ann')
    return { run, night, puts: () => received.filter(({ method }) => method === 'PUT').length }
  }
  const stored = { code: 0, unchanged: 0, updated: 1, unresolved: 0, isSaid: true }

  test('composed letters are the ones that were sent, and the next night sends nothing', async () => {
    const { night, puts } = await withAnn({ forename: (name) => name.normalize('NFC') })
    const name = 'Siobhán'.normalize('NFD')
    expect(await night(name)).toEqual({ ...stored, isSaid: false })
    expect(await night(name)).toEqual({ ...stored, unchanged: 1, updated: 0, isSaid: false })
    expect(puts()).toBe(1)
  })

  const known = { code: 0, unchanged: 1, updated: 0, unresolved: 0, isSaid: false }

  test.each([
    ['capitals', (name: string) => name.toUpperCase(), 'Anna'],
    ['spaces that are left out', (name: string) => name.replace(' ', ''), 'Mary Ann'],
  ])('%s are sent once, and are no doubt about what was stored', async (_, forename, name) => {
    const { night, run } = await withAnn({ forename })
    expect([await night(name), await night(name)]).toEqual([stored, known])
    const last = await run('undo', '--last')
    expect([last.code, last.json()]).toMatchObject([0, { undone: 1 }])
  })

  test('an amount that was rounded to the penny is sent once, and one that was not stored is a doubt', async () => {
    const rounding = await withAnn({ rateHour: (rate) => Math.round(rate * 100) / 100 })
    expect([await rounding.night('Ann', '21.406'), await rounding.night('Ann', '21.406')]).toEqual([
      stored,
      known,
    ])
    const ignoring = await withAnn({ rateHour: () => 20 })
    expect(await ignoring.night('Ann', '20.01')).toMatchObject({ code: 8, unresolved: 1 })
  })
})

describe('where a service answers a number as text, text as a number, or a day as midnight', () => {
  test.each([
    [
      '--uk',
      'agencyRef,forename,surname,hourly rate,start date\nUK-1,Ann,Sample,21.50,2026-01-05\n',
      ['21.50', '22.50'],
    ],
    [
      '--ireland',
      'agencyRef,forename,surname,taxCreditAnnual,start date\nIE-1,Ann,Sample,4000,2026-01-05\n',
      ['4000', '4100'],
    ],
  ] as const)(
    'an import %s sends what is new once, and undo takes it back',
    async (country, rows, [old, other]) => {
      const { night, write, puts, run } = await office(country, rows)
      expect(await night()).toMatchObject({ code: 0 })
      expect((await night()).json()).toMatchObject({ unchanged: 1, updated: 0, unresolved: 0 })
      expect(puts()).toBe(0)

      write(rows.replace(old, other))
      const changed = await night()
      expect(changed).toMatchObject({ code: 0, err: expect.not.stringContaining('differently') })
      expect(changed.json()).toMatchObject({ updated: 1, unresolved: 0 })
      expect((await night()).json()).toMatchObject({ unchanged: 1, updated: 0, unresolved: 0 })

      expect(await run('undo', '--last')).toMatchObject({ code: 0 })
      expect(puts()).toBe(2)
    },
  )

  test('an update sends the documented types, and says nothing of another spelling', async () => {
    const { candidates, night, people } = await office(
      '--uk',
      'agencyRef,forename,surname,hourly rate,start date\nUK-1,Ann,Sample,21.50,2026-01-05\n',
    )
    await night()
    const run = await candidates('update', 'UK-1', '--set', 'city=Leeds', '--set', 'hourly rate=1250')
    expect(run).toMatchObject({ code: 0, err: expect.not.stringContaining('differently') })
    expect(people[0].generalSetting).toMatchObject({ rateHour: 1250, dateOfJoining: '2026-01-05' })
  })
})
