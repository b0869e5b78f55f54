// @module-tag process

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, freshHome, payroll } from '../payroll.ts'
import { measure } from '../process/built.ts'
import { row, text, workbook, xml } from '../workbook.ts'
import { importFixture } from './import-fixture.ts'

const header = ['Agency reference', 'Forename', 'Surname', 'Hourly rate']
const alex = row(2, ['A1', 'Alex', 'Example', '12.5'])

/** An import of a workbook into a sandbox, and what arrived there. */
async function imported(bytes: Uint8Array, ...options: string[]) {
  const at = await importFixture()
  const words = ['candidates', 'import', at.save('starters.xlsx', bytes), '--settle', '0']
  return { run: await payroll([...words, ...options], at), sent: at.sent() }
}

describe('a formula', () => {
  const computed = (value: string) =>
    workbook({
      rows:
        row(1, header) +
        row(2, ['A1', 'Alex', 'Example']).replace('</row>', `<c r="D2"><f>10+2.5</f>${value}</c></row>`),
    })

  test('that was never computed is named by row and column, and nothing is sent: exit 3', async () => {
    const { run, sent } = await imported(computed('<v/>'))
    expect(run).toMatchObject({ code: 3, out: '' })
    expect(run.err).toContain('row 2: column D (Hourly rate): ')
    expect(run.err).toContain('open the file in Excel or LibreOffice and save it')
    expect(sent).toEqual([])
  })

  test('that stands alone in its row is no empty row', async () => {
    const rows = `${row(1, header)}${alex}<row r="3"><c r="D3"><f>D2</f></c></row>`
    expect((await imported(workbook({ rows }))).run).toMatchObject({ code: 3 })
  })

  test('that was computed is sent as its value', async () => {
    const { run, sent } = await imported(computed('<v>12.5</v>'))
    expect([run.code, sent]).toMatchObject([0, [{ generalSetting: { rateHour: 12.5 } }]])
  })
})

describe('what a spreadsheet hides', () => {
  const hidden = 'hidden="1"'
  const rows = [
    row(1, header),
    alex,
    ...[3, 4, 6].map((at) => row(at, [`A${at}`, 'Sam', 'Example', '11'], hidden)),
    `<row r="7" ${hidden}/>`,
  ].join('')
  const columns = '<cols><col min="4" max="16384" hidden="1"/></cols>'
  const message = 'hidden in the sheet, and read all the same: show it there, or delete what does not count'
  const ofColumn = 'hidden columns of the sheet count as the others do: D (Hourly rate)'

  test('is named in a dry run, and rows that a filter may hide are a doubt', async () => {
    const { run, sent } = await imported(workbook({ rows, columns }), '--dry-run')
    expect(run).toMatchObject({ code: 0 })
    expect(run.json().warnings).toEqual([
      ...[3, 4, 6].map((row) => ({ row, path: '', message })),
      { row: 0, path: '', message: ofColumn },
    ])
    expect(sent).toEqual([])
    expect((await imported(workbook({ rows, columns }), '--strict')).run).toMatchObject({ code: 3 })
  })

  test('is named before it is sent', async () => {
    const { run, sent } = await imported(workbook({ rows, columns, state: 'state="hidden"' }))
    expect(run).toMatchObject({ code: 0 })
    for (const sentence of [message, ofColumn]) expect(run.err).toContain(sentence)
    expect(run.err).toContain('the sheet Starters is hidden in the workbook')
    expect(sent).toHaveLength(4)
  })

  test('is said where a terminal asks about a column that nobody sees', async () => {
    const at = await importFixture()
    const odd = row(1, [...header.slice(0, 3), 'Odd']) + alex
    const words = [
      'candidates',
      'import',
      at.save('starters.xlsx', workbook({ rows: odd, columns })),
      '--dry-run',
    ]
    const terminal = atTerminal(words, at)
    await terminal.type(/Column D \(Odd\): what is it\?.*\n.*It is hidden in the sheet\. Its first/, '\r')
    expect((await terminal.ended).err).not.toContain('read all the same')
  })

  test('is not spoken of where all can be seen', async () => {
    const { run } = await imported(workbook({ rows: row(1, header) + alex }), '--dry-run')
    expect(run.json().warnings).toEqual([])
  })
})

describe('what is struck through', () => {
  const styles = (val: string) =>
    xml(
      `<styleSheet><fonts><font><sz val="11"/></font><font><strike${val}/></font></fonts><cellXfs><xf/><xf fontId="1"/></cellXfs></styleSheet>`,
    )
  const struck = (at: number, reference: string) =>
    row(at, [reference, 'Sam', 'Example', '11']).replace('<c ', '<c s="1" ')
  const rows = `${row(1, header)}${alex}${struck(3, 'B1')}${struck(4, 'Total')}`
  const book = (val = '') => workbook({ rows, more: { 'xl/styles.xml': styles(val) } })
  const message = 'struck through in the sheet, and read all the same: delete there what does not count'

  test('is doubted with its row before anything is sent, but for a total, which is left out', async () => {
    const { run, sent } = await imported(book(), '--dry-run')
    expect(run.code).toBe(0)
    expect(run.json().warnings).toContainEqual({ row: 3, path: '', message })
    expect(run.json().warnings.filter((each: { message: string }) => each.message === message)).toHaveLength(
      1,
    )
    expect(sent).toEqual([])
  })

  test.each([
    ['in the texts of the workbook', '<c r="B3" t="s"><v>0</v></c>'],
    ['in the cell', '<c r="B3" t="inlineStr"><is>RUNS</is></c>'],
  ])('is doubted where only a part of a cell is, %s', async (_, cell) => {
    const runs = (on: string) => `<r><t>Sam </t></r><r><rPr><strike${on}/></rPr><t>Samuel</t></r>`
    const said = async (on: string) => {
      const rows = `${row(1, header)}${alex}<row r="3">${text('A3', 'B1')}${cell.replace('RUNS', runs(on))}${text('C3', 'Example')}</row>`
      const { run } = await imported(workbook({ rows, strings: `<si>${runs(on)}</si>` }), '--dry-run')
      return run.json().warnings
    }
    expect(await said('')).toContainEqual({ row: 3, path: '', message })
    expect(await said(' val="0"')).not.toContainEqual({ row: 3, path: '', message })
  })

  test('is refused with --strict', async () => {
    const { run, sent } = await imported(book(), '--strict')
    expect(run).toMatchObject({ code: 3 })
    expect(run.err).toContain(message)
    expect(sent).toEqual([])
  })

  test('is not spoken of where the font says that it is not struck', async () => {
    const { run } = await imported(book(' val="0"'), '--dry-run')
    expect(run.out).not.toContain(message)
  })
})

/** What the built tool said of a file, and what it took. */
function measured(bytes: Uint8Array | string, name = 'starters.xlsx') {
  const file = join(freshHome(), name)
  writeFileSync(file, bytes)
  return measure(['--profile', 'sandbox', 'candidates', 'import', file, '--dry-run'])
}

const letters = (at: number): string =>
  at < 26 ? String.fromCharCode(65 + at) : letters(Math.floor(at / 26) - 1) + letters(at % 26)
const wide = (name: string) =>
  `<row r="1">${Array.from({ length: 16_384 }, (_, at) => text(`${letters(at)}1`, `${name} ${at + 1}`)).join('')}</row>`
const many = (count: number, of: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => of(at)).join('')
const short = row(1, header)

describe('a file that is made to exhaust the machine', () => {
  const file = (rows: string, strings = '') => workbook({ rows, strings })
  const corner = `<row r="1048576">${text('XFD1048576', 'x')}</row>`
  const note = (at: number) => `<si><t>some longer text, as a note, of person ${at}</t></si>`
  const bombs: readonly [string, () => Uint8Array, number, string][] = [
    ['one cell in the last corner', () => file(corner), 3, 'The file has no columns'],
    ['250,000 empty rows', () => file(short + many(250_000, (at) => `<row r="${at + 2}"/>`)), 0, ''],
    [
      'one text a million times',
      () => file(short, '<si><t>x</t></si>'.repeat(1_000_000)),
      3,
      'unpacks to more than 200 times its size',
    ],
    [
      '700,000 different texts',
      () => file(short, many(700_000, note)),
      3,
      'its texts are larger than 48 MiB',
    ],
    ['elements in elements', () => workbook({ sheet: '<a>'.repeat(5_000_000) }), 3, 'it is damaged'],
    ['all the columns there are', () => file(wide('Unknown')), 3, '16384 columns of row 1'],
  ]

  test.each(bombs)('takes less than 256 MiB: %s', async (_, bomb, code, message) => {
    const { err, ...run } = await measured(bomb())
    expect(run).toMatchObject({ code, signal: null })
    expect(err).toContain(message)
    expect(run.mebibytes).toBeLessThan(256)
  })

  test.each(bombs)('takes less than 5 seconds of a processor: %s', { tags: ['timing'] }, async (_, bomb) =>
    expect((await measured(bomb())).seconds).toBeLessThan(5),
  )

  test('a CSV of 16,384 columns takes no more', async () => {
    const run = await measured(`${many(16_384, (at) => `Column ${at},`)}Surname\n`, 'starters.csv')
    expect(run).toMatchObject({ code: 3, signal: null })
    expect(run.mebibytes).toBeLessThan(256)
  })
})
