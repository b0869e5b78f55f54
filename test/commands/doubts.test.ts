import { describe, expect, test } from 'vitest'
import { atTerminal, keys } from '../payroll.ts'
import { loopback } from './targets.ts'

const short = 'bankSetting.accountNumber: one digit is missing: there are 7, and an account number has 8'
const names = ['--set', 'forename=Ann', '--set', 'surname=Example']

/** A service on loopback with one UK candidate, and two commands that each write a doubtful account number. */
async function withCandidate() {
  const at = await loopback()
  const general = { agencyRef: 'A-0', forename: 'Bo', surname: 'Example' }
  await at.call('POST', '/svc/candidates', {
    generalSetting: general,
    bankSetting: { sortCode: '601613', accountNumber: '31926819' },
  })
  const [{ id }] = (await at.call('GET', '/svc/candidates')).json.data
  const set = ['--set', 'account number=1234567']
  const commands = {
    create: ['candidates', 'create', ...names, ...set],
    update: ['candidates', 'update', id, ...set],
  }
  const sent = () => at.writes().length
  const before = sent()
  return { ...at, id, commands, sent: () => sent() - before }
}

describe.each(['create', 'update'] as const)('candidates %s with a doubtful value', (verb) => {
  test.each([
    ['y', 0, 1],
    ['n', 2, 0],
    ['', 2, 0],
  ])(
    'asks at a terminal on a profile that is not protected, where %j is exit %i',
    async (typed, code, count) => {
      const { commands, sent, ...at } = await withCandidate()
      const terminal = atTerminal(commands[verb], at)
      await terminal.type(/has 8\n(?:.*\n)*\? (?:Create|Update) .+ on .+\? \(y\/N\)/, typed + keys.enter)
      const ended = await terminal.ended
      expect([ended.code, sent()]).toEqual([code, count])
      if (code === 2) expect(ended.err).toContain('Not confirmed. Nothing was sent.')
    },
  )

  test('says below the record what was written and what is doubtful of it', async () => {
    const { commands, ...at } = await withCandidate()
    const terminal = atTerminal(commands[verb], { ...at, columns: 200 })
    await terminal.type('(y/N)', `y${keys.enter}`)
    await terminal.ended
    const last = terminal.screen().trimEnd().split('\n').slice(-4)
    expect(last.join('\n')).toMatch(/^(?:Created|Updated) /m)
    expect(last.at(-1)).toBe(short)
  })

  test.each([[['--yes']], [['--no-input']]])(
    'is sent at a terminal without a question with %j',
    async (more) => {
      const { commands, sent, ...at } = await withCandidate()
      const ended = await atTerminal([...commands[verb], ...more], { ...at, columns: 200 }).ended
      expect([ended.code, sent()]).toEqual([0, 1])
      expect(ended.err).toContain(short)
    },
  )
})

test('candidates update shows a number whole that was typed at the terminal, and masks the old one', async () => {
  const { commands, run, ...at } = await withCandidate()
  const terminal = atTerminal(commands.update, at)
  await terminal.type(/bankSetting\.accountNumber: \*{6}819 → 1234567\n(?:.*\n)*.*\(y\/N\)/, keys.enter)
  await terminal.ended
  expect((await run([...commands.update, '--dry-run'])).err).not.toContain('1234567')
})
