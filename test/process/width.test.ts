import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshHome } from '../payroll.ts'
import { answering } from '../service.ts'
import { shell } from './built.ts'
import { onTerminal } from './pty.ts'

const id = '7c4640cf-ca43-4a81-ab10-122bb478fb07'
const surname = `O'${'Example'.repeat(12)}`

/** A service with one person of a long name. */
async function one() {
  const { env } = await answering(200, { data: [{ id, surname }], totalDocs: 1 })
  return { ...env, NO_COLOR: '1' }
}

const list = '"$PAYROLL" --quiet candidates list --columns id,surname -o table'

test('a table fits a terminal of 60 columns', async () => {
  const { shown } = await onTerminal(list, await one(), 60).ended
  const [, row = ''] = shown
    .split('\r\n')
    .map((line) => line.replace(/^.*\[\?25h/, ''))
    .filter(Boolean)
  expect(row).toMatch(/^7c4640cf-ca43-4a81-ab10-122bb478fb07 {2}O'Example\w*…$/)
  expect(row).toHaveLength(60)
})

test('on a terminal of 40 columns a row is a card', async () => {
  const { shown } = await onTerminal(list, await one(), 40).ended
  expect(shown).toContain(`ID\r\n    ${id}\r\nSurname\r\n    O'Example`)
  expect(shown.replace(/\r\n {4}/g, '')).toContain(surname)
})

test('into a pipe and into a file goes every value whole, from a narrow terminal too', async () => {
  const env = await one()
  const whole = `ID                                    Surname\n${id}  ${surname}\n`
  expect((await shell(`${list} | cat`, { env }).ended).out).toBe(whole)
  const file = join(freshHome(), 'list.txt')
  await onTerminal(`${list} | cat > ${file}`, env, 40).ended
  expect(readFileSync(file, 'utf8')).toBe(whole)
  await onTerminal(`${list} --out ${file}`, env, 40).ended
  expect(readFileSync(file, 'utf8')).toBe(whole)
})
