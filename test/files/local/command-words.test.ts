import { describe, expect, test } from 'vitest'
import { startable } from '../../../src/files/local/command-words.ts'
import { systemCommands } from '../../../src/files/local/system-commands.ts'

const env = { Path: 'C:\\Tools;relative;D:\\Editors', PATHEXT: '.EXE;.CMD', SystemRoot: 'C:\\Windows' }

/** How a program is started on a Windows that has these files alone. */
function onWindows(files: readonly string[], program: string, ...args: string[]) {
  return startable(program, args, env, { system: 'win32', isFile: (path) => files.includes(path) })
}

/** What cmd.exe is given to run. */
function batchLine(...args: string[]): string | undefined {
  return onWindows(['D:\\Editors\\code.CMD'], 'code', ...args)?.args.at(-1)
}

describe('a program that is started', () => {
  test('is what was typed, but on Windows', () => {
    const args = ['--wait', 'a b']
    expect(startable('code', args, env, { system: 'linux' })).toEqual({ file: 'code', args })
  })

  test.each([
    ['by an ending of PATHEXT, in the first folder of PATH', 'gpg', 'C:\\Tools\\gpg.EXE'],
    ['by its own ending', 'notes.exe', 'D:\\Editors\\notes.exe'],
    ['by its whole path', 'E:\\My Editor\\ed', 'E:\\My Editor\\ed.EXE'],
  ])('is found on Windows %s', (_, program, file) => {
    const inPath = ['C:\\Tools\\gpg.EXE', 'D:\\Editors\\gpg.EXE', 'D:\\Editors\\notes.exe']
    const files = [...inPath, 'E:\\My Editor\\ed.EXE']
    expect(onWindows(files, program, 'show', 'payroll')).toEqual({ file, args: ['show', 'payroll'] })
  })

  test.each([
    ['lies where the tool runs', ['pass.EXE']],
    ['lies in a folder of PATH that is relative', ['relative\\pass.EXE']],
    ['is no program', ['C:\\Tools\\pass']],
  ])('is not there on Windows where its file %s', (_, files) => {
    expect(onWindows(files, 'pass')).toBeUndefined()
  })
})

describe('a .cmd program on Windows', () => {
  test('is run by cmd.exe of the system, without its AutoRun', () => {
    expect(onWindows(['D:\\Editors\\code.CMD'], 'code', '--wait')).toEqual({
      file: 'C:\\Windows\\System32\\cmd.exe',
      args: ['/d', '/e:on', '/v:off', '/s', '/c', '""D:\\Editors\\code.CMD" "--wait""'],
      windowsVerbatimArguments: true,
    })
  })

  test.each([
    ['a blank', 'C:\\my files\\a.json', '"C:\\my files\\a.json"'],
    ['signs of a shell', 'https://x.example/?a=1&b=2|c>d<e^f', '"https://x.example/?a=1&b=2|c>d<e^f"'],
    ['a quote', 'say "yes"', '"say ""yes"""'],
    ['a backslash at its end', 'C:\\folder\\', '"C:\\folder\\\\"'],
    ['a backslash before a quote', 'a\\"b', '"a\\\\""b"'],
    ['a percent sign', 'a%3Ab%PATH%', '"a%%cd:~,%3Ab%%cd:~,%PATH%%cd:~,%"'],
    ['nothing', '', '""'],
  ])('is given an argument with %s as it is', (_, argument, word) => {
    expect(batchLine(argument)).toBe(`""D:\\Editors\\code.CMD" ${word}"`)
  })

  test.each(['a\nb', 'a\rb', 'a\0b'])('is not given %j: exit 2', (argument) => {
    expect(() => batchLine(argument)).toThrow(expect.objectContaining({ code: 'usage' }))
  })
})

test.each([
  [
    'linux',
    "/o'h/a",
    String.raw`mv '/o'\''h/a' '/o'\''h/a.bak'`,
    String.raw`rm '/o'\''h/a' 'b'`,
    'timedatectl set-ntp true',
  ],
  ['darwin', '/a b', "mv '/a b' '/a b.bak'", "rm '/a b' 'b'", 'sudo sntp -sS time.apple.com'],
  ['win32', 'C:\\a b', 'move "C:\\a b" "C:\\a b.bak"', 'del "C:\\a b", then del "b"', 'w32tm /resync'],
] as const)(
  'what a message tells to type on %s is a command of it, for %s',
  (system, path, move, remove, clock) => {
    const { moveAside, remove: removeAll, setClock } = systemCommands(system)
    expect([moveAside(path), removeAll([path, 'b']), setClock]).toEqual([move, remove, clock])
  },
)

test.each([
  ['linux', 'payroll auth login < key.txt', 'export A=1 B=2'],
  ['win32', 'type key.txt | payroll auth login', "$env:A = '1'; $env:B = '2'"],
] as const)('a file is read, and variables are set, on %s as its shells do it', (system, read, set) => {
  const { readFrom, setVariables } = systemCommands(system)
  expect([readFrom('key.txt', 'payroll auth login'), setVariables({ A: '1', B: '2' })]).toEqual([read, set])
})
