import { describe, expect, test, vi } from 'vitest'
import { type Ask, createAsk } from '../../src/prompts/terminal/ask.ts'
import { bareTerminal } from './form-driver.ts'

/** A question on a terminal of its own, whose input a test can take away. */
function asked() {
  const { host, ...terminal } = bareTerminal()
  return { ...terminal, answer: createAsk(host).read({ message: 'Forename', read: String }) }
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 20))

describe('a prompt', () => {
  /** Ctrl-Z and `fg`. This process runs other tests and cannot be stopped. */
  async function stopAndGoOn({ stdin }: Pick<ReturnType<typeof asked>, 'stdin'>) {
    const kill = vi.spyOn(process, 'kill').mockReturnValueOnce(true)
    stdin.write('\u001A')
    await soon()
    expect(kill).toHaveBeenLastCalledWith(process.pid, 'SIGTSTP')
    process.emit('SIGCONT')
    await soon()
  }

  test('is drawn again where it was each time the run goes on after Ctrl-Z', async () => {
    const { stdin, answer, screen } = asked()
    await soon()
    stdin.write('Ev')
    await soon()
    for (const _ of [1, 2]) {
      const before = screen().split('? Forename Ev').length
      await stopAndGoOn({ stdin })
      expect(screen().split('? Forename Ev').length).toBe(before + 1)
    }
    stdin.write('e\r')
    expect(await answer).toBe('Eve')
    expect(screen()).toContain('✔ Forename Eve')
  })

  test('stops at Ctrl-D after Ctrl-Z and fg too', async () => {
    const { stdin, answer } = asked()
    await soon()
    await stopAndGoOn({ stdin })
    stdin.write('\u0004')
    await expect(answer).rejects.toMatchObject({ name: 'Interrupted', signal: 'SIGINT' })
  })

  test('stops when its input ends', async () => {
    const { stdin, answer } = asked()
    await soon()
    stdin.end()
    await expect(answer).rejects.toMatchObject({ name: 'Interrupted', signal: 'SIGINT' })
  })

  test('leaves nothing listening once it is answered', async () => {
    const { stdin, answer } = asked()
    await soon()
    stdin.write('Eve\r')
    await answer
    await soon()
    expect(stdin.listenerCount('pause')).toBe(0)
  })

  const address = 'https://payroll-service.umbrella-company.example.com'
  const message = `Delete the document 11111111-2222-3333-4444-555555555555 on production (${address})?`
  const path = '/home/ann/.config/payroll/settings-of-the-team/sandbox.db'
  test.each([
    ['confirm', (ask: Ask) => ask.confirm({ message, default: false }), `production\n(${address})? (y/N)`],
    ['text', (ask: Ask) => ask.read({ message, preset: path, read: String }), `(${address})?\n  [${path}]`],
    [
      'a secret',
      (ask: Ask) => ask.read({ message, hidden: true, read: String }),
      `production\n(${address})?`,
    ],
    [
      'choose',
      (ask: Ask) => ask.choose({ message, hint: ' (type a name)', choices: [{ value: 1, name: 'Ann' }] }),
      `production\n(${address})?`,
    ],
  ])('to %s is broken between words, so that an address or a path stays whole', async (_, open, shown) => {
    const { host, stdin, screen } = bareTerminal(80)
    const answer = open(createAsk(host))
    await soon()
    expect(screen()).toContain(shown)
    stdin.end()
    await expect(answer).rejects.toMatchObject({ name: 'Interrupted' })
  })
})
