import { describe, expect, test } from 'vitest'
import { createAsk } from '../../src/prompts/terminal/ask.ts'
import { bareTerminal } from './form-driver.ts'

/** A question on a terminal of its own, whose input a test can take away. */
function asked() {
  const { host, ...terminal } = bareTerminal()
  return { ...terminal, answer: createAsk(host).input({ message: 'Forename' }) }
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 20))

describe('a prompt', () => {
  test('goes on where it was when the run goes on after Ctrl-Z', async () => {
    const { stdin, answer, screen } = asked()
    await soon()
    stdin.write('Ev')
    await soon()
    // Readline pauses its input when the process is continued, and leaves it so.
    stdin.pause()
    await soon()
    stdin.write('e\r')
    expect(await answer).toBe('Eve')
    expect(screen()).toContain('✔ Forename Eve')
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
})
