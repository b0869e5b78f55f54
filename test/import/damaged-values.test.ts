import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endedWith, freshHome, payroll } from '../payroll.ts'
import { row, workbook } from '../workbook.ts'
import { importFixture } from './import-fixture.ts'

const importing = async (...lines: readonly string[]) => {
  const at = await importFixture()
  const run = await payroll(
    ['candidates', 'import', at.save('starters.csv', ...lines), '--settle', '0', '--yes'],
    at,
  )
  return { ...at, run, sent: at.sent() }
}

test('what keeps zeros in a spreadsheet is taken off: ="00123", an apostrophe, wide digits', async () => {
  const { run, sent } = await importing(
    'Ref,Forename,Surname,Account number',
    '"=""00123""",Ann,Sample,"=""01234567"""',
    "'601613,Ben,Sample,０１２３４５６８",
  )
  expect(run.code).toBe(0)
  expect(
    sent.map(({ generalSetting, bankSetting }) => [generalSetting.agencyRef, bankSetting.accountNumber]),
  ).toEqual([
    ['00123', '01234567'],
    ['601613', '01234568'],
  ])
})

test.each([
  ['Surname', 'SiobhÃ¡n', 'Siobhán'],
  ['Surname', 'O&apos;Example', "O'Example"],
  ['Surname', 'M&#252;ller', 'Müller'],
  ['Surname', 'Ren?e', 'a question mark stands in the place of one'],
  ['Surname', '?lodagh', 'a question mark stands in the place of one'],
  ['Surname', 'Sam_ple', 'HMRC refuses a whole submission'],
  ['Surname', 'Siobh‡n', 'HMRC refuses a whole submission'],
  ['Surname', "O\\'Example", 'HMRC refuses a whole submission'],
  ['Surname', 'Sample\u{1f600}', 'HMRC refuses a whole submission'],
  ['Surname', "O''Example", "did you mean O'Example?"],
  ['Surname', 'Siobh%C3%A1n', 'it has a digit in it'],
  ['Surname', "O'Example", ''],
  ['Surname', 'Müller', ''],
  ['Surname', 'Smith & Sons', ''],
  ['Address 1', '1 Stra?e', 'a question mark stands in the place of one'],
  ['Address 1', 'Caf? Road', 'a question mark stands in the place of one'],
  ['Town', 'YÃ³rk', 'did you mean Yórk?'],
  ['Town', 'Bishop&#39;s Town', "did you mean Bishop's Town?"],
  ['Address 1', 'The Who Would Have Thought It?', ''],
  ['Address 1', 'Flat #2, 1 Müller_Road', ''],
])('damaged letters in a %s are doubted, with what was meant: %s', async (heading, value, says) => {
  const cells = {
    Ref: 'A1',
    Forename: 'Ann',
    Surname: 'Sample',
    'Address 1': '1 Rd',
    Town: 'York',
    [heading]: value,
  }
  const { run } = await importing(
    Object.keys(cells).join(),
    Object.values(cells)
      .map((cell) => `"${cell}"`)
      .join(),
  )
  expect(run.code).toBe(0)
  if (says === '') expect(run.err).not.toContain('letters')
  else expect(run.err).toContain(says)
})

test('control characters around a value are taken off, and others hold the row', async () => {
  const fine = await importing('Ref,Forename,Surname,Town', '"A1\r",Ann,"Sample\t","York\r\n"')
  expect([fine.run.code, fine.sent[0]?.generalSetting]).toMatchObject([
    0,
    { agencyRef: 'A1', surname: 'Sample', city: 'York' },
  ])
  const held = await importing(
    'Ref,Forename,Surname,Town',
    'A1,"Be\tn",Sample,York',
    'A2,Ca\u0007ra,Sample,York',
    'A3,Dan,Sample,"Yo\nrk"',
  )
  expect([held.run.code, held.sent]).toEqual([3, []])
  expect(held.run.err.match(/it holds a control character/g)?.length).toBe(3)
})

test.each([
  ['12345678901234600000', 3],
  ['1234567890123450', 0],
])('a long number that a spreadsheet has rounded is damaged, or doubtful: %s', async (reference, code) => {
  const { run } = await importing('Ref,Forename,Surname', `${reference},Ann,Sample`)
  expect(run).toMatchObject(endedWith(code, 'keeps 15 digits of a number'))
})

test('a reference that looks like a date is one, in an import of people', async () => {
  const { run, sent } = await importing('Ref,Forename,Surname', '2026-05-03,Ann,Sample')
  expect([run.code, sent[0]?.generalSetting.agencyRef]).toEqual([0, '2026-05-03'])
})

test('numbers of a workbook have fifteen digits, as a spreadsheet shows them', async () => {
  const at = await importFixture()
  const cells =
    '<row r="2"><c r="A2" t="inlineStr"><is><t>A1</t></is></c><c r="B2" t="inlineStr"><is><t>Ann</t></is></c><c r="C2" t="inlineStr"><is><t>Sample</t></is></c><c r="D2"><v>21.299999999999997</v></c><c r="E2"><v>7.499999999999998</v></c></row>'
  const file = at.save(
    'starters.xlsx',
    workbook({ rows: row(1, ['Ref', 'Forename', 'Surname', 'Hourly rate', 'Hours']) + cells }),
  )
  const run = await payroll(['candidates', 'import', file, '--settle', '0', '--yes'], at)
  expect(run.code).toBe(0)
  expect(at.sent()[0].generalSetting).toMatchObject({ rateHour: 21.3, hours: 7.5 })
})

test('of an amount that may be a thousand it is not said how it is read', async () => {
  const at = await importFixture()
  const file = at.save('starters.csv', 'Ref;Forename;Surname;Hourly rate', 'A1;Ann;Sample;1,234')
  const run = await payroll(['candidates', 'import', file, '--dry-run'], at)
  expect(run).toMatchObject(endedWith(3, 'this comma may be a thousands separator'))
  expect(run.json().warnings).toEqual([])
})

test('a decimal comma and hours as a time are read, in a sheet and by --set, and a comma is said', async () => {
  const { run, sent } = await importing(
    'Ref,Forename,Surname,Hourly rate,Hours',
    'A1,Ann,Sample,"14,25",37:30',
    'A2,Ben,Sample,14.25,37h30',
  )
  expect(run).toMatchObject(endedWith(0, '14,25 is read as 14.25'))
  expect(sent.map(({ generalSetting: { rateHour, hours } }) => [rateHour, hours])).toEqual([
    [14.25, 37.5],
    [14.25, 37.5],
  ])
  const set = await payroll(
    [
      'candidates',
      'create',
      '--uk',
      '--profile',
      'sandbox',
      '--dry-run',
      '--set',
      'forename=Ann',
      '--set',
      'surname=Sample',
      '--set',
      'rateHour=14,25',
    ],
    {},
  )
  expect([set.code, set.out]).toEqual([0, expect.stringMatching(/"rateHour": ?14.25/)])
})

test('a carriage return at the end of --set is taken off, and one inside is refused', async () => {
  const create = (...sets: string[]) =>
    payroll(
      [
        'candidates',
        'create',
        '--uk',
        '--profile',
        'sandbox',
        '--dry-run',
        ...sets.flatMap((set) => ['--set', set]),
      ],
      {},
    )
  const trimmed = await create('forename=Ann\r', 'surname=Sample')
  expect([trimmed.code, trimmed.out]).toEqual([0, expect.stringMatching(/"forename": ?"Ann"/)])
  expect(await create('forename=An\rn', 'surname=Sample')).toMatchObject(endedWith(3, 'a control character'))
})

test.each([
  ['a cell', 'Agency ref,Forename,Surname\nA-1,Zoë,Sample\n', []],
  ['a heading', 'Agency ref,Prénom,Forename,Surname\nA-1,x,Zoë,Sample\n', ['--ignore-column', 'Prénom']],
])(
  'a CSV of Excel for Windows with a letter of its own in %s is offered first as it is to be read',
  async (_, text, more) => {
    const home = freshHome()
    const file = join(home, 'people.csv')
    writeFileSync(file, Buffer.from(text, 'latin1'))
    const { code, err } = await payroll(['candidates', 'import', file, '--profile', 'sandbox', '--dry-run'], {
      home,
    })
    expect(code).toBe(3)
    const [, offered = ''] = /(?:^|: )payroll (.*)$/m.exec(err) ?? []
    expect(err).toContain('Read it as Excel for Windows saves a CSV')
    const read = await payroll([...offered.split(' '), ...more], { home })
    expect(read).toMatchObject({ code: 0 })
    expect(read.json()).toMatchObject({ ready: 1, invalidCount: 0 })
    expect(read.out).toContain('Zoë')
  },
)

test('a script is told once of each cell what was probably meant, and sends the file as it is', async () => {
  const { run, sent } = await importing('Agency ref,Forename,Surname,Mobile', 'A-1,Ann,Sample,7123456789')
  expect(run.err.match(/Mobile/g)).toHaveLength(1)
  expect(sent).toMatchObject([{ generalSetting: { mobile: '7123456789' } }])
})
