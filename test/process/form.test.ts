import { describe, expect, test } from 'vitest'
import { freshHome, type Terminal } from '../payroll.ts'
import { converse, enterBut } from '../prompts/form-driver.ts'
import { run } from './built.ts'
import { inTerminal } from './terminal.ts'

type Replies = Parameters<typeof enterBut>[0]

interface Filling {
  readonly env?: Readonly<Record<string, string>>
  readonly cols?: number
  readonly rows?: number
}

/** Fills a form in a real terminal until it ends; Enter for all that is not answered. How many answers it took. */
async function filled(argv: readonly string[], replies: Replies, { env = {}, ...size }: Filling = {}) {
  const home = env.PAYROLL_CONFIG_DIR ?? freshHome()
  const terminal = inTerminal(argv, { PAYROLL_CONFIG_DIR: home, ...env }, size)
  const reply = enterBut(replies)
  let answers = 0
  await converse(terminal as unknown as Terminal, (asked) => {
    answers += 1
    if (answers > 200) throw new Error(`never ends:\n${terminal.screen()}`)
    return reply(asked)
  })
  return { ...terminal, ...(await terminal.ended), answers, home }
}

/** What the sandbox of a home holds, as a script reads it. */
async function held(home: string, ...argv: string[]) {
  const listed = await run(['--profile', 'sandbox', '--json', 'candidates', 'list', ...argv], {
    env: { PAYROLL_CONFIG_DIR: home },
  })
  const [first] = JSON.parse(listed.out)
  if (!first) return undefined
  const got = await run(['--profile', 'sandbox', '--json', 'candidates', 'get', first.id, ...argv], {
    env: { PAYROLL_CONFIG_DIR: home },
  })
  return JSON.parse(got.out)
}

const aoife: Replies = {
  'Agency reference': 'IE-0001',
  Forename: 'Aoife',
  Surname: 'Ní Shampla',
  'Date of birth': '4/11/1991',
  Email: 'aoife@example.com',
  Address: ['1 Example Street', 'Dublin', ''],
  'PPS number': '1234567FA',
  'Payment model': 'PAYEE',
  IBAN: 'IE29AIBK93115212345678',
  'What next?': 'Send',
}

const irish = ['candidates', 'create', '--incomplete', '--ireland']

describe('a form in a real terminal', () => {
  test('makes an Irish candidate', async () => {
    const { exitCode, home, screen } = await filled(irish, aoife)
    expect(exitCode, screen()).toBe(0)
    expect(await held(home, '--ireland')).toMatchObject({
      agencyRef: 'IE-0001',
      forename: 'Aoife',
      surname: 'Ní Shampla',
      DOB: '1991-11-04',
    })
    // A person reads back what cannot be taken for another day, and no number in full.
    expect(screen()).toContain('Created an Irish candidate')
    expect(screen()).not.toContain('1234567FA')
  })

  test('makes a UK candidate, essentials and a section that is chosen', async () => {
    const { exitCode, home, screen } = await filled(['candidates', 'create', '--incomplete'], {
      'Agency reference': 'UK-0001',
      Forename: 'Ann',
      Surname: 'Example',
      'Date of birth': '1980-12-25',
      'NI number': 'QQ123456C',
      Address: ['1 Example Street', 'Leeds', ''],
      Postcode: 'LS1 1AA',
      'Sort code': '010203',
      'Account number': '12345678',
      'Tax code': '1257L',
      'What next?': ['Edit', 'Send'],
      'Which part?': 'Emergency',
      'Emergency contact': 'Bob Sample',
    })
    expect(exitCode, screen()).toBe(0)
    expect(await held(home)).toMatchObject({ agencyRef: 'UK-0001', forename: 'Ann', DOB: '1980-12-25' })
  })

  test('needs no more than 20 answers for a minimal Irish candidate, and warns of nothing', async () => {
    const { answers, exitCode } = await filled(irish, { ...aoife, Address: ['1 Example Street', ''] })
    process.stdout.write(`answers for a minimal Irish candidate: ${answers}\n`)
    expect(exitCode).toBe(0)
    expect(answers).toBeLessThanOrEqual(20)
  })

  test('goes back to an earlier question, and keeps what was answered since', async () => {
    const { exitCode, home, screen } = await filled(irish, {
      ...aoife,
      Forename: ['Aoif', 'Aoife'],
      Surname: ['<', 'Ní Shampla'],
    })
    expect(exitCode, screen()).toBe(0)
    expect(await held(home, '--ireland')).toMatchObject({ forename: 'Aoife', surname: 'Ní Shampla' })
  })

  test('lets a person keep a value that a standard doubts', async () => {
    const terminal = inTerminal(irish, { PAYROLL_CONFIG_DIR: freshHome() })
    const reply = enterBut({ ...aoife, 'PPS number': '1234567AA' })
    const doubts: string[] = []
    await converse(terminal as unknown as Terminal, (asked) => {
      if (!asked.isDoubt) return reply(asked)
      doubts.push(asked.text)
      return 'Keep'
    })
    expect((await terminal.ended).exitCode, terminal.screen()).toBe(0)
    expect(doubts).not.toEqual([])
  })

  test('empties what cannot be seen when it was refused, so that the next try counts', async () => {
    const terminal = inTerminal(irish, { PAYROLL_CONFIG_DIR: freshHome() })
    await terminal.type('? Agency reference', '\r')
    await terminal.type('? Forename', '\r')
    await terminal.type('? Surname', '\r')
    await terminal.type('? Date of birth', '31/2/1991\r')
    await terminal.type('Type it again.', '4/11/1991\r')
    await terminal.until('Date of birth 4 November')
    terminal.kill('SIGKILL')
    await terminal.ended
  })

  test('stops at Ctrl-C, keeps the answers, and goes on with them', async () => {
    const home = freshHome()
    const stopped = inTerminal(irish, { PAYROLL_CONFIG_DIR: home })
    await stopped.type('? Agency reference', 'IE-0001\r')
    await stopped.type('? Forename', 'Aoife\r')
    await stopped.type('? Surname', '\u0003')
    await stopped.until('Your answers are saved. To continue')
    expect((await stopped.ended).signal).toBe(2)
    const { exitCode, screen } = await filled(
      irish,
      { ...aoife, 'There is a draft': '', 'Resume it?': '' },
      { env: { PAYROLL_CONFIG_DIR: home } },
    )
    expect(exitCode, screen()).toBe(0)
    expect(screen()).not.toContain('? Forename')
    expect(await held(home, '--ireland')).toMatchObject({ agencyRef: 'IE-0001', forename: 'Aoife' })
  })

  test('sends nothing when Enter is all that is ever pressed', async () => {
    const home = freshHome()
    const terminal = inTerminal(irish, { PAYROLL_CONFIG_DIR: home })
    let menus = 0
    await converse(terminal as unknown as Terminal, ({ text }) => {
      if (text.startsWith('What next?')) menus += 1
      return menus > 2 ? undefined : ''
    })
    terminal.kill('SIGKILL')
    await terminal.ended
    expect(menus).toBe(3)
    expect(await held(home, '--ireland')).toBeUndefined()
  })

  test.each([40, 80])('fits %i columns', async (cols) => {
    const { exitCode, screen } = await filled(irish, aoife, { cols, rows: 24 })
    expect(exitCode).toBe(0)
    const wide = screen()
      .split(/[\r\n]+/)
      // A line that is drawn again, letter by letter, is one line on the screen.
      .flatMap((line) => line.split(/(?=[?✔] )/))
      .filter((line) => [...line].length > cols)
      // Notes are left to the terminal to break, so that what stands in them can be copied; so is the answer.
      .filter((line) => !/^(Sandbox:|Its id|Created|To look)/.test(line))
      .filter((line) => /\S+\s+\S+/.test(line) && !/^[\s{}"]/.test(line))
    expect(wide).toEqual([])
  })

  test.each([{ ACCESSIBLE: '1' }, { TERM: 'dumb' }])('draws nothing with %j', async (env) => {
    const home = freshHome()
    const terminal = inTerminal(irish, { PAYROLL_CONFIG_DIR: home, ...env })
    await terminal.type('Agency reference', 'IE-0001\r')
    await terminal.type('Forename', 'Aoife\r')
    await terminal.type('Surname', '>>\r')
    await terminal.until('What next?')
    const [, send = ''] = /(\d+)\W+Send/.exec(terminal.screen()) ?? []
    await terminal.type('', `${send}\r`)
    expect((await terminal.ended).exitCode, terminal.raw()).toBe(0)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
    expect(terminal.raw()).not.toMatch(/\u001B\[[\d;?]*[A-HJKSTfhlsu]/)
    expect(await held(home, '--ireland')).toMatchObject({ agencyRef: 'IE-0001', forename: 'Aoife' })
  })

  test('takes names of any script, and a pasted address as its lines', async () => {
    const { exitCode, home, screen } = await filled(irish, {
      ...aoife,
      Forename: 'נועה',
      Surname: 'Ó Súilleabháin 李',
      Address: ['\u001B[200~1 Example Street\nExample Town\nDublin\u001B[201~', ''],
    })
    expect(exitCode, screen()).toBe(0)
    const record = await held(home, '--ireland')
    expect(record).toMatchObject({ forename: 'נועה', surname: 'Ó Súilleabháin 李' })
    expect(record.address).toEqual(['1 Example Street', 'Example Town', 'Dublin'])
  })
})
