import { expect, test } from 'vitest'
import { systemCommands } from '../../../src/files/local/system-commands.ts'
import { chmodCommand } from '../../../src/text/shell-word.ts'

test.each([
  ['linux', "/o'h/a", String.raw`mv '/o'\''h/a' '/o'\''h/a.bak'`],
  ['darwin', '/a b', "mv '/a b' '/a b.bak'"],
  ['win32', 'C:\\a b', 'move "C:\\a b" "C:\\a b.bak"'],
] as const)('what a message tells to type on %s is a command of it, for %s', (system, path, move) => {
  expect(systemCommands(system).moveAside(path)).toBe(move)
})

test('the command that closes a folder is one word of a shell, whatever the name of the folder', () => {
  expect(chmodCommand('700', "/o'h/a b")).toBe(String.raw`chmod 700 '/o'\''h/a b'`)
})

test.each([
  ['linux', 'payroll auth login < key.txt', 'export A=1 B=2'],
  ['win32', 'type key.txt | payroll auth login', "$env:A = '1'; $env:B = '2'"],
] as const)('a file is read, and variables are set, on %s as its shells do it', (system, read, set) => {
  const { readFrom, setVariables } = systemCommands(system)
  expect([readFrom('key.txt', 'payroll auth login'), setVariables({ A: '1', B: '2' })]).toEqual([read, set])
})
