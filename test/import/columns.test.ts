import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, endedWith, payroll } from '../payroll.ts'
import { answer, importFixture, interceptedFixture, onRow } from './import-fixture.ts'
import { records } from './list-shapes.ts'

const header = 'Employee ref,First name,Surname,D.O.B.'

/** A folder with a file in it, and the import of that file into the sandbox. */
async function file(text: string, name = 'starters.csv') {
  const at = await importFixture()
  const path = at.save(name, text)
  const words = ['candidates', 'import', path, '--settle', '0']
  return {
    ...at,
    path,
    write: (content: string) => void at.save(name, content),
    run: (...argv: string[]) => payroll([...words, ...argv], at),
    terminal: (...argv: string[]) => atTerminal([...words, ...argv], at),
    beside: (other: string, content: unknown) => at.save(other, JSON.stringify(content)),
    held: () => records(at),
    /** The birthdays of all who are there. */
    born: async () => (await records(at)).map(({ DOB }) => DOB).sort(),
  }
}

describe('columns with names of your own', () => {
  test('need no map where they are usual, and no order where a day above 12 shows it', async () => {
    const header = 'Employee ref,First,Last,D.O.B.'
    const rows =
      'A1,Ann,Sample,04/03/1990,Weekly,Eire,"£1,021.50"\nA2,Ben,Sample,25/03/1990,4 weekly,England,12\n'
    const at = await file(`${header},Frequency,Country,Hourly Rate\n${rows}`)
    expect(await at.run()).toMatchObject({ code: 0 })
    expect(await at.held()).toMatchObject([
      { agencyRef: 'A1', forename: 'Ann', surname: 'Sample' },
      { agencyRef: 'A2', forename: 'Ben', surname: 'Sample' },
    ])
    expect(await at.held()).toMatchObject([
      { agencyRef: 'A1', DOB: '1990-03-04', payFrequency: 'WEEKLY', country: 'IE', rateHour: 1021.5 },
      { agencyRef: 'A2', DOB: '1990-03-25', payFrequency: 'FOUR_WEEKLY', country: 'GB', rateHour: 12 },
    ])
  })

  test('that are not known are all named at once, with a map to fill in, and nothing is sent', async () => {
    const at = await file(`${header},Surnam,Full name,Shoe size\nA1,Ann,Sample,1990-03-25,S,Ann Sample,7\n`)
    const { code, err } = await at.run()
    expect(code).toBe(3)
    expect(err).toContain('column E (Surnam): no field has this heading: did you mean Surname?')
    expect(err).toContain('column F (Full name): can mean Forename, Surname or Account name: say which')
    expect(err).toContain('column G (Shoe size): no field has this heading')
    expect(err).toContain('--map columns.json: {"Surnam":"?","Full name":"?","Shoe size":"?"}')
    expect(await at.held()).toEqual([])
  })

  test('are what a map of labels says; one that fits nothing is refused', async () => {
    const at = await file('No,Called,Forename\nA1,Sample,Ann\n')
    const refused = async (map: unknown) => {
      const { code, err } = await at.run('--map', at.beside('map.json', map))
      expect(code).toBe(2)
      return err
    }
    expect(await refused({ 'Agency reference': 'No', Surname: 'Called' })).toContain(
      'names no column of this file',
    )
    expect(await refused({ Number: 'Agency reference' })).toContain('The columns are: No, Called, Forename.')
    const map = at.beside('map.json', { no: 'Agency reference', Called: 'surname' })
    expect(await at.run('--map', map, '--dry-run')).toMatchObject({ code: 0 })
    expect(
      await at.run('--map', at.beside('map.json', { No: 'Agency reference', Called: '?' })),
    ).toMatchObject(endedWith(3, 'the map says ?, which is not a field'))
  })

  test('are matched on screen, column by column with their first values, and remembered', async () => {
    const at = await file(`${header},Account ref,Shoe size\nA1,Ann,Sample,04/03/1990,31926819,7\n`)
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
    expect(await at.born()).toEqual(['1990-03-04', '1990-06-05', '1990-06-07'])
  })

  test('may have the whole name, where no other column has a part of it', async () => {
    const at = await file('Employee ref,Colleague,D.O.B.,Shoe size\nA1,"Sample, Ann",25/03/1990,7\n')
    const terminal = at.terminal('--yes')
    await terminal.type('Column B (Colleague): what is it?', 'name')
    await terminal.type('❯ Name, written Surname, Forename', '\r')
    await terminal.type('Column D (Shoe size)', 'name')
    await terminal.type('Bank name', '\x15\r')
    const { code, err, out } = await terminal.ended
    expect([code, (err + out).split('Column D')[1]]).toEqual([
      0,
      expect.not.stringContaining('Name, written'),
    ])
    expect(await at.held()).toMatchObject([{ forename: 'Ann', surname: 'Sample' }])
  })

  test('that are the same twice are named with what to do in the sheet, and no other is asked about', async () => {
    const at = await file('Employee ref,First name,Surname,Town,Town,Shoe size\nA1,Ann,Sample,York,Leeds,7\n')
    const says = 'Give each column a heading of its own in the sheet, in one row, and run the command again.'
    const { code, err } = await at.terminal().ended
    expect([code, err]).toEqual([3, expect.stringContaining('One column of row 1 cannot be used')])
    expect(err.replaceAll(/\s+/g, ' ')).toContain(says)
    expect(err).not.toContain('columns.json')
    const script = await at.run()
    expect(script.err.replaceAll(/\s+/g, ' ')).toContain(`${says} Save this as columns.json`)
  })

  test('are not asked about where no row has anything in them', async () => {
    const at = await file(`${header},Shoe size,Notes\nA1,Ann,Sample,25/03/1990,, \n`)
    expect((await at.run('--dry-run')).code).toBe(0)
    expect((await at.terminal().ended).code).toBe(0)
    expect(await at.born()).toEqual(['1990-03-25'])
  })

  test('are matched on screen by a word of a field that is the only one left, and by none where several are', async () => {
    const at = await file('Employee ref,First name,Surname,How often\nA1,Ann,Sample,MONTHLY\n')
    const terminal = at.terminal()
    await terminal.type('Column D (How often): what is it?', 'numb\r')
    await terminal.type('Choose one with the arrow keys', '\u0015freq\r')
    expect((await terminal.ended).code).toBe(0)
    const [memory] = Object.values(JSON.parse(readFileSync(join(at.home, 'columns.json'), 'utf8')))
    expect(memory).toMatchObject({ map: { 'How often': expect.stringMatching(/frequency/i) } })
  })

  test('below a title are imported by the command that is printed', async () => {
    const at = await file('Ours,Theirs,What\nEmployee ref,First name,Surname\nA1,Ann,Sample\n')
    const { code, err } = await at.run()
    expect(code).toBe(3)
    const next = /^payroll (.* --heading-row 2)$/m.exec(err)?.[1] ?? ''
    expect(await payroll(next.replaceAll("'", '').split(' '), at)).toMatchObject({ code: 0 })
    expect(await at.held()).toHaveLength(1)
  })

  test('a doubt about a line of an address names its column, also below an empty cell', async () => {
    const names = 'Employee ref,First name,Surname,Address 1,Address 2,Address 4'
    const at = await file(`${names}\nA1,Ann,Sample,,Leeds,2026-01-01\n`)
    const { warnings } = (await at.run('--dry-run')).json()
    expect(warnings.map(({ message }: { message: string }) => message)).toEqual([
      'column F (Address 4): a date, a number or an email, and no line of an address',
    ])
  })

  test('Address beside Address 2 is the first line, wherever it stands, and none of two first lines is guessed', async () => {
    const names = 'Employee ref,First name,Surname'
    const at = await file(`${names},Address 2,Address,Address 3\nA1,Ann,Sample,Floor 2,1 High St,\n`)
    expect((await at.run()).code).toBe(0)
    const [{ id }] = await at.held()
    expect((await payroll(['candidates', 'get', id], at)).json().address).toEqual(['1 High St', 'Floor 2'])
    at.write(`${names},Address,Address 1\nA2,Ann,Sample,1 High St,Floor 2\n`)
    expect(await at.run()).toMatchObject(endedWith(3, 'fills the same field as column D (Address)'))
  })

  test('of a file that was only tried in a dry run are remembered as matched, and not as imported', async () => {
    const at = await file('Employee ref,First name,Surname,Account ref\nA1,Ann,Sample,31926819\n')
    const map = at.beside('map.json', { 'Account ref': 'Account number' })
    expect(await at.run('--map', map, '--dry-run')).toMatchObject({ code: 0 })
    const { code, err } = await at.run('--dry-run')
    expect([code, err.match(/.*--map remembered.*/g)]).toEqual([
      3,
      ['These headings were matched before: --map remembered uses the same column matching.'],
    ])
    const terminal = at.terminal('--dry-run')
    await terminal.type('These headings were matched before. Use the same column matching?', '\r')
    expect((await terminal.ended).code).toBe(0)
    expect(terminal.screen()).not.toContain('imported before')
  })

  test('take no field twice', async () => {
    const terminal = (await file('Employee ref,One,Two\nA1,Ann,Sample\n')).terminal('--dry-run')
    for (const [shown, typed, choice, then] of [
      ['Column B (One)', 'surname', '❯ Surname', '\r'],
      ['Column C (Two)', 'surname', 'Surname (filled by the column One)', '\u0015forename'],
    ] as const) {
      await terminal.type(shown, typed)
      await terminal.type(choice, then)
    }
    await terminal.type('❯ Forename', '\r')
    expect((await terminal.ended).code).toBe(0)
  })
})

describe('the order of day and month', () => {
  test('is asked of a script once, not for each row', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `A${at},Ann,Sample,04/03/1990`)
    const { code, err } = await (await file(`${header}\n${rows.join('\n')}\n`)).run()
    expect(code).toBe(3)
    expect(err.match(/unclear/g)).toHaveLength(1)
    expect(err).toContain('the first of them in D2 (D.O.B.)')
    expect(err).toContain('--date-format dmy')
  })

  test('that two columns contradict is refused with the cells, and not with the dates', async () => {
    const rows = 'A1,Ann,Sample,25/03/1990,01/02/2026\nA2,Ben,Sample,01/03/1990,02/28/2026\n'
    const { code, err } = await (await file(`${header},Start date\n${rows}`)).run()
    expect(code).toBe(3)
    expect(err).toContain('D2 (D.O.B.): the day comes first')
    expect(err).toContain('E3 (Start date): the month comes first')
    expect(err).not.toContain('1990')
  })

  test('is asked of each file that does not show it, whatever the one before was', async () => {
    const at = await file(`${header}\nA1,Ann,Sample,02/28/1990\n`)
    expect((await at.terminal().ended).code).toBe(0)
    at.write(`${header}\nA2,Ben,Sample,02/11/1985\n`)
    const terminal = at.terminal()
    await terminal.type(/❯ The month comes first: 02\/11\/1985 in D2.*is 11 February 1985/s, 'the day')
    await terminal.type(/❯ The day comes first: .* is 2 November 1985/, '\r')
    expect((await terminal.ended).code).toBe(0)
    expect(await at.born()).toEqual(['1985-11-02', '1990-02-28'])
  })

  test('is told to a script where the headings of an earlier file decide it, and the file itself wins', async () => {
    const at = await file(`${header},Start date\nA1,Ann,Sample,02/28/1990,02/28/2026\n`)
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

  test('of rejects is that of their file with --map remembered, and so are their columns', async () => {
    const at = await interceptedFixture(onRow('A2', answer(422, { message: 'no' })))
    const rows = ['A1,Sample,Ann,25/03/1990', 'A2,Sample,Ben,04/03/1990']
    const path = at.save('starters.csv', 'No,Called,Forename,DOB', ...rows)
    const map = at.save('map.json', JSON.stringify({ No: 'Agency reference', Called: 'Surname' }))
    const first = await at.importFile(path, '--map', map)
    expect(first.code).toBe(9)
    at.intercept(() => false)
    const rejects = join(at.home, 'starters.rejects.csv')
    expect(first.err).toContain('--date-format dmy')
    expect(readFileSync(rejects, 'utf8')).toContain('A2,Sample,Ben,04/03/1990')
    expect(await at.importFile(rejects, '--map', 'remembered')).toMatchObject({ code: 0 })
    expect(at.sent().at(-1)).toMatchObject({ generalSetting: { DOB: '1990-03-04' } })
  })
})

describe('a file for another command', () => {
  test('is named with that command: one record for create, a table for import', async () => {
    const at = await file(JSON.stringify({ generalSetting: { surname: 'Sample' } }, null, 2), 'starter.json')
    const imported = await at.run()
    expect(imported.code).toBe(3)
    expect(imported.err).toContain(`create --file ${at.path}`)
    const table = at.save('starters.csv', header)
    const created = await payroll(['candidates', 'create', '--file', table], at)
    const says = expect.stringContaining(`payroll candidates import ${table}`)
    expect([created.code, created.err]).toEqual([3, says])
  })

  test('has no use for options of a table', async () => {
    const at = await file('{"generalSetting":{"agencyRef":"A1"}}\n', 'starters.ndjson')
    for (const [option, value] of ['--map m.json', '--date-format dmy', '--encoding latin1'].map(
      (each) => each.split(' ') as [string, string],
    )) {
      expect(await at.run(option, value)).toMatchObject(endedWith(2, `${option} would have no effect`))
    }
  })
})

describe('a sheet of an agency', () => {
  const lines = ['Staff no,Forename,Surname,Hrs p/w', 'T-1,Ann,Fakeson,37.5', 'T-2,Tom,Fakely,20']
  /** A CSV with these lines, a service, and the import of the one into the other. */
  async function filed(...rows: readonly string[]) {
    const at = await importFixture()
    return { ...at, argv: ['candidates', 'import', at.save('starters.csv', ...rows), '--settle', '0'] }
  }

  test('a sheet whose total is wrong is imported with both sums said, asked about at a terminal, and refused with --strict', async () => {
    const at = await filed(...lines, 'Total,,,312.5')
    const says = 'column D (Hrs p/w): the total says 312.5, and the rows add up to 57.5'
    expect(await payroll([...at.argv, '--strict'], at)).toMatchObject(endedWith(3, `row 4: ${says}`))
    const terminal = atTerminal(at.argv, at)
    await terminal.type('Create 2 candidates', 'n\r')
    expect((await terminal.ended).err.replace(/\s+/g, ' ')).toContain(says)
    expect(at.posted()).toEqual([])
    expect(await payroll(at.argv, at)).toMatchObject(endedWith(0, `row 4: ${says}`))
  })

  test('a sheet with a title that has no delimiter has its rows split as the headings are', async () => {
    const at = await filed('Acme Staffing - Week 33', '', ...lines.map((line) => line.replaceAll(',', ';')))
    expect((await payroll(at.argv, at)).code).toBe(0)
    expect(await at.there()).toEqual(['T-1', 'T-2'])
  })

  test('a sheet with a column called Worker has a person at a terminal asked how its names are written', async () => {
    const at = await filed('Staff no,Worker', 'T-1,"FAKESON, Ann"')
    expect((await payroll(at.argv, at)).err).toContain('has the whole name: a map says "Surname, Forename"')
    const terminal = atTerminal(at.argv, at)
    await terminal.type('has the whole name: how is it written?', '\r')
    expect(await terminal.ended).toMatchObject(endedWith(0, 'B Worker   → Surname, Forename and Title'))
    expect(await at.there()).toEqual(['T-1'])
  })

  test('a column of whole names that are there for the reader can be left out, and changes no name', async () => {
    const at = await filed('Staff no,Forename,Surname', 'T-1,Ann,Fakeson')
    expect((await payroll(at.argv, at)).code).toBe(0)
    const path = at.save('rates.csv', 'Staff no,Employee,Hourly rate', 'T-1,Annie Fake,21.50')
    const terminal = atTerminal(['candidates', 'import', path, '--update'], at)
    await terminal.type('has the whole name: how is it written?', 'do not\r')
    await terminal.type('Change 1 candidate', 'y\r')
    expect((await terminal.ended).code).toBe(0)
    expect(await records(at)).toMatchObject([{ forename: 'Ann', surname: 'Fakeson', rateHour: 21.5 }])
  })
})
