import { describe, expect, test } from 'vitest'
import { atTerminal } from '../../../payroll.ts'
import { connected } from '../connected.ts'
import { addressOn } from './address-on.ts'
import { chromium, openChromium } from './chromium.ts'

const login = ['auth', 'login', '--browser', '--profile', 'development', '--client-id', 'payroll-cli']
const question = 'Allow access to the sandbox?'
const why = chromium === undefined ? ' (skipped: Chromium is not installed)' : ''

/** A sign-in that waits, and a tab that shows its question. */
async function startSignIn(...words: string[]) {
  const at = await connected()
  const terminal = atTerminal([...login, ...words], { home: at.home, env: { BROWSER: 'none' } })
  const url = await addressOn(terminal.screen)
  const { newTab } = await openChromium()
  const askInNewTab = async () => {
    const tab = await newTab()
    await tab.open(url)
    await tab.until(question)
    return tab
  }
  return { ...at, terminal, askInNewTab, tab: await askInNewTab() }
}

describe.skipIf(chromium === undefined)(`in Chromium, the consent${why}`, () => {
  test('is given with the keyboard alone, and ends in a stored token', async () => {
    const { run, settings, terminal, tab } = await startSignIn()
    await tab.press('Tab')
    expect(await tab.focused()).toBe('Allow')
    await tab.press('Enter')
    await tab.until('You can close this window')
    expect((await terminal.ended).code).toBe(0)
    const { access, refresh } = settings().tokens.development
    const shown = (await tab.text()) + (await tab.address())
    for (const secret of [access, refresh]) expect(shown).not.toContain(secret)
    expect((await run(['candidates', 'list'])).code).toBe(0)
  })

  test('is refused with the keyboard alone, and nothing is stored', async () => {
    const { settings, terminal, tab } = await startSignIn()
    await tab.press('Tab', 'Tab')
    expect(await tab.focused()).toBe('Do not allow')
    await tab.press('Space')
    await tab.until('The terminal says whether you are signed in.')
    expect((await terminal.ended).code).toBe(4)
    expect(settings().tokens).toBeUndefined()
  })

  test('is read to a person who does not see it: title, heading, who asks, and both buttons by name', async () => {
    const { terminal, tab } = await startSignIn('--timeout', '20')
    const spoken = await tab.spoken()
    for (const part of [
      { role: 'RootWebArea', name: question },
      { role: 'heading', name: question },
      { role: 'button', name: 'Allow' },
      { role: 'button', name: 'Do not allow' },
    ])
      expect(spoken).toContainEqual(part)
    expect(spoken.some(({ role }) => role === 'main')).toBe(true)
    expect(spoken.map(({ name }) => name).join(' ')).toContain('Payroll command line')
    await tab.press('Tab', 'Enter')
    await tab.until('You can close this window')
    expect(await tab.spoken()).toContainEqual({ role: 'heading', name: 'You can close this window' })
    await terminal.ended
  })

  test('is given once: in the second of two tabs, then in the first, and again after the back button', async () => {
    const { settings, terminal, askInNewTab, tab: first, requests } = await startSignIn()
    const second = await askInNewTab()
    await second.press('Tab', 'Enter')
    await second.until('You can close this window')
    expect((await terminal.ended).code).toBe(0)
    const before = settings().tokens
    expect(before.development).toBeDefined()
    await second.back()
    await second.until(question)
    for (const each of [first, second]) await each.press('Tab', 'Enter')
    expect(settings().tokens).toEqual(before)
    expect(requests.filter(({ url }) => url === '/svc/oauth/token')).toHaveLength(1)
  })
})
