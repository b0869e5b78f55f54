import { expect, test } from 'vitest'
import { systemCommands } from '../../../src/files/local/system-commands.ts'

test.each([
  ['linux', "/o'h/a", String.raw`mv '/o'\''h/a' '/o'\''h/a.bak'`, String.raw`rm '/o'\''h/a' 'b'`],
  ['darwin', '/a b', "mv '/a b' '/a b.bak'", "rm '/a b' 'b'"],
  ['win32', 'C:\\a b', 'move "C:\\a b" "C:\\a b.bak"', 'del "C:\\a b", then del "b"'],
] as const)('what a message tells to type on %s is a command of it, for %s', (system, path, move, remove) => {
  const { moveAside, remove: removeAll } = systemCommands(system)
  expect([moveAside(path), removeAll([path, 'b'])]).toEqual([move, remove])
})

test.each([
  ['linux', 'payroll auth login < key.txt', 'export A=1 B=2'],
  ['win32', 'type key.txt | payroll auth login', "$env:A = '1'; $env:B = '2'"],
] as const)('a file is read, and variables are set, on %s as its shells do it', (system, read, set) => {
  const { readFrom, setVariables } = systemCommands(system)
  expect([readFrom('key.txt', 'payroll auth login'), setVariables({ A: '1', B: '2' })]).toEqual([read, set])
})
