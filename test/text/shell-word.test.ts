import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { shellWord } from '../../src/text/shell-word.ts'
import { freshHome, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'

/** Words that a shell takes for something else where they stand bare. */
const awkward = [
  ...['EMP 12', 'AC/001', 'A#1', '#1', 'É-1', "O'Brien", 'O’Brien', 'the “best”', '-17', '-a:b', '-a.b'],
  ...['--', '--%', '$(touch x)', '`x`', '50%', '%PATH%', '0017', '1e3', '1kb', 'a,b', 'a;b', 'a&b|c>d'],
  ...['(a) {b} [c]', '@a', '~', '=ls', '!1', '*', 'C:\\a b\\c', "[?email=='a@b.example' || x=='y']"],
  'R'.repeat(200),
]

describe('a word of a command that a message names', () => {
  test.each([...awkward, 'a"b', 'a\\'])('is one word to sh, and the same: %j', (word) => {
    const line = `printf '%s\\0' ${shellWord(word, 'linux')} end`
    const { stdout } = spawnSync('sh', ['-c', line], { encoding: 'utf8', cwd: freshHome() })
    expect(stdout.split('\0')).toEqual([word, 'end', ''])
  })

  test.each(awkward)('is one word to PowerShell, and the same: %j', (word) => {
    expect(powershellWords(`${shellWord(word, 'win32')} end`)).toEqual([word, 'end'])
  })

  test.each(awkward.filter((word) => !/[$`“”]/.test(word)))(
    'is one word to cmd.exe, and the same: %j',
    (word) => {
      expect(cmdWords(`${shellWord(word, 'win32')} end`)).toEqual([word, 'end'])
    },
  )

  test.each([
    ['"a b" c', ['a b', 'c']],
    ["'it''s' ’a‘‘b‘", ["it's", 'a‘b']],
    ['a,b', undefined],
    ['-- x', undefined],
    ['0017', undefined],
    ['-a:b', undefined],
    ['$x', undefined],
    ['"$x"', undefined],
    ["'a'b", undefined],
  ])('is judged by the rules of PowerShell: %s', (line, words) => {
    expect(powershellWords(line)).toEqual(words)
  })
})

describe('the command that finds a new person again, on Windows, where the answer was lost', () => {
  test.each([
    ["O'Brien", `get "O'Brien" --reference`],
    ['EMP 12', 'get "EMP 12" --reference'],
    ['$(touch x)', "get '$(touch x)' --reference"],
    ['-17', 'get --reference "--" "-17"'],
    ['0017', 'get "0017" --reference'],
    // PowerShell 5.1 takes the double quote away, and 7 does not: what no spelling carries is not typed.
    ['6" pipe', 'list'],
  ])('of the reference %j: %s', async (reference, command) => {
    const { env } = await service((_, response) => response.destroy())
    const argv = ['candidates', 'create', '--incomplete', '--set', `agencyRef=${reference}`, '--json']
    const run = await payroll(argv, { env, platform: 'win32' })
    expect(run.error().hint).toMatch(/record exists: payroll candidates /)
    expect(run.error().next).toEqual([`payroll candidates ${command}`])
  })

  test.each(["O'Brien", '$(touch x)', '-17', '0017', 'É 1'])(
    'finds the person of the reference %j when it is typed',
    async (reference) => {
      const person = { id: 'c-1', agencyRef: reference }
      const { env } = await service(({ method, url }, response) => {
        if (method === 'POST') return response.destroy()
        if (url.endsWith('/c-1')) return answerJson(response, 200, { data: person })
        answerJson(response, 200, { data: [person], totalDocs: 1 })
      })
      const home = freshHome()
      // What the list does not show cannot be compared, so this run leaves it open.
      const set = [`agencyRef=${reference}`, 'city=Leeds'].flatMap((each) => ['--set', each])
      const argv = ['candidates', 'create', '--incomplete', ...set, '--json']
      const { next } = (await payroll(argv, { home, env, platform: 'win32' })).error()
      const [, ...words] = powershellWords(next[0]) ?? []
      expect((await payroll(words, { home, env })).json()).toEqual(person)
    },
  )
})

/** A string in double quotes, of which nothing is replaced; or in single quotes, where two are one (about_Quoting_Rules). */
const powershellString = /^(?:["“”„]([^"“”„$`]*)["“”„]|['‘’‚‛]((?:[^'‘’‚‛]|['‘’‚‛]{2})*)['‘’‚‛])(?=\s|$)/u

/** What stands bare and is no text: a number, which loses its zeros, `--`, `--%`, and a parameter with a value. */
const noText = /^(?:[+-]?\.?\d.*|--|--%|-[a-z_?][^\s]*[.:].*)$/i

/**
 * The words of a line as PowerShell hands them to a program or a script (about_Parsing, argument mode). Undefined for a line
 * with anything that it would change, run, split or take for its own.
 */
function powershellWords(line: string): string[] | undefined {
  const words: string[] = []
  let rest = line
  while (rest !== '') {
    const text = powershellString.exec(rest)
    const [bare = ''] = /^[^\s"'‘’‚‛“”„$`,;|&(){}<>@#~=][^\s"'‘’‚‛“”„$`,;|&(){}<>]*(?=\s|$)/u.exec(rest) ?? []
    const isNumber = /^(?:0|[1-9]\d{0,8})$/.test(bare)
    if (!text && (bare === '' || (noText.test(bare) && !isNumber))) return undefined
    words.push(text ? (text[1] ?? (text[2] ?? '').replace(/(['‘’‚‛])['‘’‚‛]/g, '$1')) : bare)
    rest = rest.slice((text?.[0] ?? bare).length).trimStart()
  }
  return words
}

/** The words of a line of cmd.exe, as a program reads them: what stands in double quotes is one, whatever is in it. */
function cmdWords(line: string): string[] {
  const found = line.matchAll(/"([^"]*)"(?=\s|$)|([^\s"&|<>^()%!]+)(?=\s|$)/g)
  return [...found].map(([, text, bare]) => text ?? bare ?? '')
}
