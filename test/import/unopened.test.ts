import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { openFailure } from '../../src/files/table/open-failure.ts'
import { endedWith, freshHome, payroll } from '../payroll.ts'

const again = 'Close it there, such as in Excel, then run the same command again.'

test.each([
  ['EBUSY', 'linux', 'another program has it open (EBUSY).', again],
  ['EBUSY', 'win32', 'another program has it open (EBUSY).', again],
  ['EPERM', 'win32', 'another program has it open (EPERM).', again],
  ['EACCES', 'linux', 'you may not read it (EACCES).', "To see whose it is: ls -ld 'staff.xlsx'"],
  ['EPERM', 'darwin', 'you may not read it (EPERM).', "To see whose it is: ls -ld 'staff.xlsx'"],
] as const)(
  'a file of which the system says %s on %s cannot be opened, and it is said why',
  (code, system, why, hint) => {
    const { message, details } = openFailure('staff.xlsx', code, system)
    expect([message, details.hint]).toEqual([`staff.xlsx cannot be opened: ${why}`, hint])
  },
)

test.each([
  'candidates import',
  'candidates create --file',
  'candidates import HOME/people.csv --map',
  'documents create --employee id:x --upload',
])('%s of a file that is not there names the one that was probably meant', async (words) => {
  const home = freshHome()
  writeFileSync(join(home, 'starters.xlsx'), '')
  writeFileSync(join(home, 'people.csv'), 'Agency reference\nA1\n')
  const at = (name: string) =>
    payroll([...words.replace('HOME', home).split(' '), join(home, name), '--profile', 'sandbox'], { home })
  expect(await at('startes.xlsx')).toMatchObject(
    endedWith(
      2,
      `There is no file ${join(home, 'startes.xlsx')}. Nothing was sent.\nDid you mean ${join(home, 'starters.xlsx')}?`,
    ),
  )
  expect(await at('none/a.csv')).toMatchObject(
    endedWith(2, `, and no folder ${join(home, 'none')}. Nothing was sent.`),
  )
  symlinkSync(join(home, 'moved.csv'), join(home, 'old.csv'))
  expect(await at('old.csv')).toMatchObject(endedWith(2, 'old.csv is a link to a file that is not there.'))
})

test('a folder says that one file in it is to be named', async () => {
  const home = freshHome()
  mkdirSync(join(home, 'starters'))
  for (const words of ['candidates import', 'candidates create --file'])
    expect(
      await payroll([...words.split(' '), join(home, 'starters'), '--profile', 'sandbox'], { home }),
    ).toMatchObject(endedWith(2, 'is a folder. Nothing was sent.\nName one file in it.'))
})

test.each([
  ['<!DOCTYPE html><html><table></table></html>', 'it is a web page or XML, whatever its name says'],
  ['<html xmlns:x="urn:schemas"><table></table></html>', 'it is a web page'],
  ['<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>', 'it is a web page or XML'],
])('what portals save as a workbook and is none is named: %s', async (content, says) => {
  const home = freshHome()
  const file = join(home, 'starters.xls')
  writeFileSync(file, content)
  expect(await payroll(['candidates', 'import', file, '--profile', 'sandbox'], { home })).toMatchObject(
    endedWith(3, says),
  )
})

const damaged = 'it is damaged, or not XLSX'

/** What says in a document of Office which of its parts is the document. */
const officeParts = (target: string) => ({
  '_rels/.rels': `<Relationships><Relationship Id="1" Type="x/officeDocument" Target="${target}"/></Relationships>`,
})

test.each<[name: string, parts: Record<string, string> | Buffer, says: string]>([
  ['a.ods', { mimetype: '', 'META-INF/manifest.xml': '' }, damaged],
  ['a.numbers', { 'Index/Document.iwa': '' }, damaged],
  ['a.xlsb', { ...officeParts('xl/workbook.bin'), 'xl/workbook.bin': '\0' }, damaged],
  ['a.docx', { ...officeParts('word/document.xml'), 'word/document.xml': '<document/>' }, damaged],
  ['a.zip', { 'week.csv': 'Hours' }, damaged],
  ['a.xlsx', { '[Content_Types].xml': '' }, damaged],
  [
    'a.doc',
    Buffer.concat([Buffer.from('d0cf11e0', 'hex'), Buffer.from('WordDocument', 'utf16le')]),
    'a workbook with a password, or a file of Office 97',
  ],
  ['scan.png', Buffer.from('\x89PNG\r\n\x1A\n"', 'latin1'), 'it is a PDF, a picture or'],
  ['a.rtf', Buffer.from('{\\rtf1 Hours}'), '(RTF)'],
])('a file that is no table is told from one, with what to do: %s', async (name, content, says) => {
  const file = join(freshHome(), name)
  writeFileSync(
    file,
    content instanceof Buffer
      ? content
      : zipSync(Object.fromEntries(Object.entries(content).map(([part, text]) => [part, strToU8(text)]))),
  )
  const run = await payroll(['timesheets', 'import', file, '--profile', 'sandbox'])
  expect(run).toMatchObject(endedWith(3, says))
  expect(run.err).toMatch(/\. Nothing was sent\.\n\p{Lu}.*\.\n$/u)
})

test('a pipe that is named as a file is to be piped in', async () => {
  const run = await payroll(['candidates', 'import', '/dev/fd/963', '--profile', 'sandbox'])
  expect(run).toMatchObject(endedWith(2, '/dev/fd/963 is a pipe'))
  expect(run.err).toContain('with - for the file')
})

test('a file that is not there is said before a profile is said to be protected', async () => {
  const home = freshHome()
  await payroll('profiles set production --base-url https://payroll.invalid/svc --protected'.split(' '), {
    home,
  })
  const argv = ['timesheets', 'import', join(home, 'nosuch.csv'), '--profile', 'production']
  expect(await payroll(argv, { home })).toMatchObject(endedWith(2, 'There is no file'))
  writeFileSync(join(home, 'nosuch.csv'), 'Hours\n')
  expect(await payroll(argv, { home })).toMatchObject(endedWith(2, 'production is protected'))
})

test.each([
  ['starters.csv', 'Agency reference,Forename,Surname\n', ' below its headings'],
  ['starters.json', '[]', ''],
])(
  'a file without rows is no error, as of a job of every night, and says that nothing was sent: %s',
  async (name, content, below) => {
    const file = join(freshHome(), name)
    writeFileSync(file, content)
    const says = `${file} has no rows to import${below}: nothing was sent.\n`
    for (const option of ['--yes', '--dry-run', '--update'])
      expect(await payroll(['candidates', 'import', file, option, '--profile', 'sandbox'])).toMatchObject({
        code: 0,
        err: says,
      })
    const quiet = await payroll(['candidates', 'import', file, '--quiet', '--profile', 'sandbox'])
    expect([quiet.code, quiet.err]).toEqual([0, ''])
  },
)
