import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, freshHome, payroll } from '../payroll.ts'
import { interceptedFixture } from './import-fixture.ts'

const header = 'Employee ref,First name,Surname,D.O.B.'

/** A folder with a file in it, and the import of that file into the sandbox. */
function file(text: string, name = 'starters.csv') {
  const home = freshHome()
  const path = join(home, name)
  const write = (content: string) => writeFileSync(path, content)
  write(text)
  const words = ['--profile', 'sandbox', 'candidates', 'import', path, '--settle', '0']
  return {
    home,
    path,
    write,
    run: (...argv: string[]) => payroll([...words, ...argv], { home }),
    terminal: (...argv: string[]) => atTerminal([...words, ...argv], { home }),
    beside(other: string, content: unknown): string {
      writeFileSync(join(home, other), typeof content === 'string' ? content : JSON.stringify(content))
      return join(home, other)
    },
    held: async () =>
      (await payroll(['--profile', 'sandbox', 'candidates', 'list', '-o', 'json'], { home })).json(),
  }
}

describe('columns with names of your own', () => {
  test('need no map where they are usual, and no order where a day above 12 shows it', async () => {
    const at = file(
      `${header},Frequency,Country,Hourly Rate\nA1,Ann,Sample,04/03/1990,Weekly,Eire,"£1,021.50"\nA2,Ben,Sample,25/03/1990,4 weekly,England,12\n`,
    )
    expect(await at.run()).toMatchObject({ code: 0 })
    expect(await at.held()).toMatchObject([
      { agencyRef: 'A1', DOB: '1990-03-04', payFrequency: 'WEEKLY', country: 'IE', rateHour: 1021.5 },
      { agencyRef: 'A2', DOB: '1990-03-25', payFrequency: 'FOUR_WEEKLY', country: 'GB', rateHour: 12 },
    ])
  })

  test('columns with names of your own that are not known are all named at once, with a map to fill in, and nothing is sent', async () => {
    const at = file(`${header},Surnam,Full name,Shoe size\nA1,Ann,Sample,1990-03-25,S,Ann Sample,7\n`)
    const { code, err } = await at.run()
    expect(code).toBe(3)
    expect(err).toContain('column E (Surnam): not known: did you mean Surname?')
    expect(err).toContain('column F (Full name): can mean Forename or Surname or Account name: say which')
    expect(err).toContain('column G (Shoe size): not known')
    expect(err).toContain('--map columns.json: {"Surnam":"Surname","Full name":"?","Shoe size":"?"}')
    expect(await at.held()).toEqual([])
  })

  test('are what a map of labels says; one that fits nothing is refused', async () => {
    const at = file('No,Called,Forename\nA1,Sample,Ann\n')
    const refused = async (map: unknown) => {
      const { code, err } = await at.run('--map', at.beside('map.json', map))
      expect(code).toBe(2)
      return err
    }
    expect(await refused({ 'Agency reference': 'No', Surname: 'Called' })).toContain('the other way round')
    expect(await refused({ Number: 'Agency reference' })).toContain('The columns are: No, Called, Forename.')
    const map = at.beside('map.json', { no: 'Agency reference', Called: 'surname' })
    expect(await at.run('--map', map, '--dry-run')).toMatchObject({ code: 0 })
    const wrong = await at.run('--map', at.beside('map.json', { No: 'Agency reference', Called: '?' }))
    expect([wrong.code, wrong.err]).toMatchObject([
      3,
      expect.stringContaining('the map says ?, which is not a field'),
    ])
  })

  test('are matched on screen, column by column with their first values, and remembered', async () => {
    const at = file(`${header},Account ref,Shoe size\nA1,Ann,Sample,04/03/1990,31926819,7\n`)
    const terminal = at.terminal()
    await terminal.type(/Column E \(Account ref\): what is it\? · 2 left.*31926819/s, 'account number')
    await terminal.type('❯ Account number', '\r')
    await terminal.type('Column F (Shoe size)', 'do not')
    await terminal.type('❯ Do not import this column', '\r')
    await terminal.type(/Which comes first in the dates.*D2 \(D\.O\.B\.\)/s, '\r')
    expect((await terminal.ended).code).toBe(0)
    const memory = readFileSync(join(at.home, 'columns.json'), 'utf8')
    expect(JSON.parse(memory)).toEqual({
      [Object.keys(JSON.parse(memory))[0] ?? '']: {
        map: { 'Account ref': 'bankSetting.accountNumber', 'Shoe size': null },
        dateFormat: 'dmy',
      },
    })
    expect(statSync(join(at.home, 'columns.json')).mode & 0o777).toBe(0o600)
    at.write(`${header},Account ref,Shoe size\nA2,Ben,Sample,05/06/1990,31926820,8\n`)
    const again = at.terminal()
    await again.type('Use the same column matching?', '\r')
    await again.type(/❯ The day comes first: 05\/06\/1990 in D2 \(D\.O\.B\.\) is 5 June 1990/, '\r')
    expect((await again.ended).code).toBe(0)
    at.write(`${header},Account ref,Shoe size\nA3,Cam,Sample,07/06/1990,31926821,8\n`)
    expect((await at.run()).code).toBe(3)
    expect((await at.run('--map', 'remembered')).code).toBe(0)
    expect((await at.held()).map(({ DOB }: { DOB: string }) => DOB).sort()).toEqual(
      '1990-03-04 1990-06-05 1990-06-07'.split(' '),
    )
  })

  test('Address beside Address 2 is the first line, wherever it stands, and none of two first lines is guessed', async () => {
    const at = file(
      'Employee ref,First name,Surname,Address 2,Address,Address 3\nA1,Ann,Sample,Floor 2,1 High St,\n',
    )
    expect((await at.run()).code).toBe(0)
    const [{ id }] = await at.held()
    const words = ['--profile', 'sandbox', 'candidates', 'get', id, '-o', 'json']
    expect((await payroll(words, { home: at.home })).json().address).toEqual(['1 High St', 'Floor 2'])
    at.write('Employee ref,First name,Surname,Address,Address 1\nA2,Ann,Sample,1 High St,Floor 2\n')
    const { code, err } = await at.run()
    expect([code, err]).toEqual([3, expect.stringContaining('fills the same field as column D (Address)')])
  })

  test('go back to the column before at <, and take no field twice', async () => {
    const at = file('Employee ref,First,Second\nA1,Ann,Sample\n')
    const terminal = at.terminal('--dry-run')
    await terminal.type('Column B (First)', 'surname')
    await terminal.type('❯ Surname', '\r')
    await terminal.type('Column C (Second)', 'surname')
    await terminal.type('Surname (filled by the column First)', '\u0015<')
    await terminal.type('❯', '\r')
    await terminal.type('Column B (First)', 'forename')
    await terminal.type('❯ Forename', '\r')
    await terminal.type('Column C (Second)', 'surname')
    await terminal.type('❯ Surname', '\r')
    expect((await terminal.ended).code).toBe(0)
  })
})

describe('the order of day and month', () => {
  test('is asked of a script once, not for each row', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `A${at},Ann,Sample,04/03/1990`)
    const { code, err } = await file(`${header}\n${rows.join('\n')}\n`).run()
    expect(code).toBe(3)
    expect(err.match(/unclear/g)).toHaveLength(1)
    expect(err).toContain('the first of them in D2 (D.O.B.)')
    expect(err).toContain('--date-format dmy')
  })

  test('the order of day and month that two columns contradict is refused with the cells, and not with the dates', async () => {
    const { code, err } = await file(
      `${header},Start date\nA1,Ann,Sample,25/03/1990,01/02/2026\nA2,Ben,Sample,01/03/1990,02/28/2026\n`,
    ).run()
    expect(code).toBe(3)
    expect(err).toContain('D2 (D.O.B.): the day comes first')
    expect(err).toContain('E3 (Start date): the month comes first')
    expect(err).not.toContain('1990')
  })

  test('is asked of each file that does not show it, whatever the one before was', async () => {
    const at = file(`${header}\nA1,Ann,Sample,02/28/1990\n`)
    expect((await at.terminal().ended).code).toBe(0)
    at.write(`${header}\nA2,Ben,Sample,02/11/1985\n`)
    const terminal = at.terminal()
    await terminal.type(/❯ The month comes first: 02\/11\/1985 in D2.*is 11 February 1985/s, 'the day')
    await terminal.type(/❯ The day comes first: .* is 2 November 1985/, '\r')
    expect((await terminal.ended).code).toBe(0)
    expect((await at.held()).map(({ DOB }: { DOB: string }) => DOB).sort()).toEqual([
      '1985-11-02',
      '1990-02-28',
    ])
  })

  test('is told to a script where the headings of an earlier file decide it, and the file itself wins', async () => {
    const at = file(`${header},Start date\nA1,Ann,Sample,02/28/1990,02/28/2026\n`)
    const map = at.beside('map.json', { 'D.O.B.': 'Date of birth' })
    expect((await at.run('--map', map)).err).not.toContain('dates are read')
    at.write(`${header},Start date\nA2,Ben,Sample,02/11/1985,01/05/2026\n`)
    const told = (await at.run('--map', 'remembered', '--dry-run')).out
    expect(told).toContain('dates are read with the month first, as in the last file with these headings')
    expect(told).toContain('01/05/2026 in E2 (Start date) is 5 January 2026')
    expect(told).toContain('Add --date-format dmy')
    expect(told).not.toContain('1985')
    at.write(`${header},Start date\nA2,Ben,Sample,25/11/1985,01/05/2026\n`)
    const shown = (await at.run('--map', 'remembered', '--dry-run')).out
    expect(shown).toContain(
      'dates are read with the day first, as D2 (D.O.B.) shows: 01/05/2026 in E2 (Start date) is 1 May 2026',
    )
  })

  test('the order of day and month of rejects is that of their file, and so are their columns', async () => {
    const at = await interceptedFixture(({ method, post }, response) => {
      const isSecond = method === 'POST' && post === 2
      if (isSecond) response.writeHead(422).end('{"message":"no"}')
      return isSecond
    })
    const path = join(at.home, 'starters.csv')
    writeFileSync(path, `No,Called,Forename,DOB\nA1,Sample,Ann,25/03/1990\nA2,Sample,Ben,04/03/1990\n`)
    const map = join(at.home, 'map.json')
    writeFileSync(map, JSON.stringify({ No: 'Agency reference', Called: 'Surname' }))
    const first = await at.importFile(path, '--map', map)
    expect(first.code).toBe(9)
    at.intercept(() => false)
    const rejects = join(at.home, 'starters.rejects.csv')
    expect(first.err).toContain('--date-format dmy')
    expect(readFileSync(rejects, 'utf8')).toContain('A2,Sample,Ben,04/03/1990')
    const again = await at.importFile(rejects)
    expect([again.code, again.err]).toMatchObject([0, expect.stringContaining('read as the file before')])
    expect(JSON.parse(at.posted().at(-1)?.body ?? '')).toMatchObject({
      generalSetting: { DOB: '1990-03-04' },
    })
  })
})

describe('a file for another command', () => {
  test('is named with that command: one record for create, a table for import', async () => {
    const at = file(JSON.stringify({ generalSetting: { surname: 'Sample' } }, null, 2), 'starter.json')
    const imported = await at.run()
    expect(imported.code).toBe(3)
    expect(imported.err).toContain(`create --file ${at.path}`)
    const table = at.beside('starters.csv', `${header}\n`)
    const words = ['--profile', 'sandbox', 'candidates', 'create', '--file', table]
    const created = await payroll(words, { home: at.home })
    expect([created.code, created.err]).toMatchObject([
      3,
      expect.stringContaining(`payroll candidates import ${table}`),
    ])
  })

  test('has no use for options of a table', async () => {
    const at = file('{"generalSetting":{"agencyRef":"A1"}}\n', 'starters.ndjson')
    for (const option of [
      ['--map', 'm.json'],
      ['--date-format', 'dmy'],
      ['--encoding', 'latin1'],
    ]) {
      const { code, err } = await at.run(...option)
      expect([code, err]).toMatchObject([2, expect.stringContaining(`${option[0]} would have no effect`)])
    }
  })
})
