import { describe, expect, test } from 'vitest'
import { asTyped, atTerminal, payroll } from '../payroll.ts'
import { allHostile, isHarmless } from '../render/hostile.ts'
import { answering, answerJson, service } from '../service.ts'
import { startSandbox } from '../start-sandbox.ts'

/** Text that has broken other programs: for a terminal, a table, a spreadsheet, a page, a shell, a format. */
const naughty = [
  ...'\u001B]52;c;cm0gLXJm\u0007 \u001BP+q544e\u001B\\ \u009B6n \u001B[?1049h \u001Bc'.split(' '),
  ...['a\rb', 'a\u0085b', '\u0008\u0008', '\u0000', '\u0090q\u009C', '\u2066a\u2069', '\uFFFE', '\u{E0001}'],
  ...['田中さん', 'הָיְתָה', '👩‍👩‍👧‍👦', 'Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮', '│ x │', 'x'.repeat(10_000), '一'.repeat(500)],
  ...['=cmd|x', '-2+3', '＝1', '"', '""",,,', '\\n', '<script>', '$(id)', '`id`', 'NaN', '__proto__', '1E5'],
]

const create = ['candidates', 'create', '--incomplete']

const person = (text: string) => ({
  id: text,
  agencyRef: text,
  forename: text,
  surname: text,
  [text]: [text],
})

describe('nothing that the service says acts on the terminal or breaks a line', () => {
  const named = naughty.map((text) => [JSON.stringify(text.slice(0, 40)), text.length, text] as const)

  test.each(named)('%s (%i long)', async (_, _length, text) => {
    const rows = [person('before'), person(text), person('after')]
    const { env } = await service(({ url }, response) =>
      url.includes('refused')
        ? answerJson(response, 422, { error: { message: text, details: [{ path: text, message: text }] } })
        : answerJson(response, 200, { data: rows, totalDocs: 3 }),
    )
    const listed = await payroll(['candidates', 'list', '-o', 'table'], { env })
    expect([listed.code, isHarmless(listed.out)]).toEqual([0, true])
    const lines = listed.out.trimEnd().split('\n')
    const starts = ['', 'before', '', 'after']
    expect(lines.map((line, at) => line.startsWith(starts[at] ?? 'too many'))).toEqual(Array(4).fill(true))
    const refused = await payroll(['api', 'GET', '/svc/refused'], { env })
    expect([refused.code, isHarmless(refused.err)]).toEqual([6, true])
    expect(refused.err.split('\n').length).toBeLessThanOrEqual(5)
  })

  test('in a report, which has only its own lines', async () => {
    const { env, baseUrl } = await startSandbox()
    const generalSetting = { agencyRef: allHostile, forename: allHostile, surname: 'Example' }
    await fetch(`${baseUrl}/svc/candidates`, {
      method: 'POST',
      headers: { authorization: env.PAYROLL_API_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ generalSetting }),
    })
    const reported = await payroll(['check', '--only', 'no-bank', '--uk', '-o', 'table'], { env })
    expect([reported.code, isHarmless(reported.out)]).toEqual([9, true])
    const [heading, , rule, ...found] = reported.out.trimEnd().split('\n')
    expect([heading, rule]).toEqual(['Stops pay (1)', expect.stringMatching(/^no-bank: /)])
    for (const line of found) expect(line).toMatch(/^ {2}/)
  })

  test('in a question, so that nobody says yes to another record than the one that is shown', async () => {
    const { env } = await service((_, response) =>
      answerJson(response, 200, { data: { id: 'd1', name: 'a\u001B[2Jb\u202Ec' } }),
    )
    const words = ['documents', 'delete', 'd1', '--id', '--employee', 'id:e1']
    const { type, ended } = atTerminal(words, { env })
    await type('(y/N)', '\r')
    expect((await ended).err).toContain('Delete a[2Jbc of')
  })

  test('hostile text as JSON, NDJSON and CSV is what the service said', async () => {
    const rows = naughty.map((text) => ({ text }))
    const { env } = await answering(200, { data: rows, totalDocs: rows.length })
    const listed = (format: string) => payroll(['payslips', 'list', '-o', format], { env })
    expect((await listed('json')).json()).toEqual(rows)
    const lines = (await listed('ndjson')).out.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows)
    for (const format of ['json', 'ndjson', 'yaml']) expect(isHarmless((await listed(format)).out)).toBe(true)
  })

  test('hostile text does nothing in what is typed, in the name of a file, a profile, a place that a redirect leads to', async () => {
    const { env } = await service((_, response) =>
      response.writeHead(302, { location: `https://ex${encodeURIComponent('\u001B[2J')}.com/%1b]0;x` }).end(),
    )
    const path = allHostile.replaceAll('\0', '')
    for (const argv of [
      ...[
        [allHostile],
        ['candidates', allHostile],
        asTyped`candidates get ${allHostile}`,
        ['explain', allHostile],
      ],
      ...['columns', 'query'].map((option) => ['candidates', 'list', `--${option}`, allHostile]),
      ...[`${allHostile}=1`, `generalSetting.DOB=${allHostile}`].map((set) => [...create, '--set', set]),
      ...[[...create, '--file', path], asTyped`documents create --employee 1 --upload ${path}`],
      ['candidates', 'list', '--out', `/nowhere/${path}`],
      ['candidates', 'list', `--${allHostile}`],
      ['--profile', allHostile, 'candidates', 'list'],
      ['candidates', 'list'],
    ]) {
      for (const more of [[], ['--json']]) {
        const { code, err } = await payroll([...more, ...argv], { env })
        expect([argv[0] === allHostile || code > 0, isHarmless(err)]).toEqual([true, true])
      }
    }
  })
})

describe('what is typed of a person is not echoed', () => {
  test('a key that is asked for is not shown', async () => {
    const login = asTyped`auth login --key --profile development --base-url http://127.0.0.1:9`
    const terminal = atTerminal(login)
    await terminal.type('not shown', 'CANARYkey0000\r')
    const { code, out } = await terminal.ended
    expect(code).toBe(0)
    expect(terminal.screen() + out).not.toContain('CANARY')
  })
})
