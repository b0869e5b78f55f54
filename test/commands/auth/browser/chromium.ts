import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** Chromium as Debian and others name it; undefined where there is none. */
export const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0,
)

const keyCodes = { Tab: 9, Enter: 13, Space: 32 } as const
const keyTexts = { Tab: '', Enter: '\r', Space: ' ' } as const

/** A browser of its own for this test, driven through a pipe. */
export async function openChromium() {
  const profile = mkdtempSync(join(tmpdir(), 'payroll-chromium-'))
  const child = spawn(
    chromium ?? '',
    [
      ...['--headless=new', '--remote-debugging-pipe', '--no-sandbox', '--disable-gpu', '--no-first-run'],
      ...['--disable-dev-shm-usage', '--disable-background-networking', `--user-data-dir=${profile}`],
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.on('close', resolve))
    // By itself it ends its children too.
    send('Browser.close').catch(() => {})
    await Promise.race([ended, pause(5000)])
    child.kill('SIGKILL')
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  const [commands, answers] = [child.stdio[3] as Writable, child.stdio[4] as Readable]
  const waiting = new Map<number, { resolve: (result: any) => void; reject: (error: Error) => void }>()
  let rest = ''
  answers.setEncoding('utf8').on('data', (text: string) => {
    const messages = (rest + text).split('\0')
    rest = messages.pop() ?? ''
    for (const message of messages) {
      const { id, result, error } = JSON.parse(message)
      const asked = waiting.get(id)
      waiting.delete(id)
      if (error) asked?.reject(new Error(error.message))
      else asked?.resolve(result)
    }
  })
  let last = 0
  const send = (method: string, params: object = {}, sessionId?: string): Promise<any> =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject })
      commands.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`)
    })

  return {
    /** One tab, as a person uses it: with the keyboard. */
    async newTab() {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
      const ask = (method: string, params?: object) => send(method, params, sessionId)
      const evaluate = async (expression: string) =>
        (await ask('Runtime.evaluate', { expression, returnByValue: true })).result.value as string
      const text = () => evaluate('document.body ? document.body.innerText : ""')
      await ask('Page.enable')
      // A tab behind another has no focus, and would not be drawn.
      await ask('Page.bringToFront')
      await ask('Emulation.setFocusEmulationEnabled', { enabled: true })
      /** Whether the page is loaded and was drawn: a key pressed before that goes nowhere. */
      const isDrawn = async () => {
        const expression = `document.readyState === 'complete' &&
          new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))`
        return (await ask('Runtime.evaluate', { expression, awaitPromise: true })).result.value === true
      }
      return {
        open: async (url: string) => void (await ask('Page.navigate', { url })),
        async press(...keys: readonly (keyof typeof keyCodes)[]) {
          for (const key of keys) {
            const name = key === 'Space' ? ' ' : key
            const about = { key: name, code: key, windowsVirtualKeyCode: keyCodes[key] }
            const down = keyTexts[key] ? { type: 'keyDown', text: keyTexts[key] } : { type: 'rawKeyDown' }
            await ask('Input.dispatchKeyEvent', { ...down, ...about })
            await ask('Input.dispatchKeyEvent', { type: 'keyUp', ...about })
          }
        },
        async back() {
          const { currentIndex, entries } = await ask('Page.getNavigationHistory')
          await ask('Page.navigateToHistoryEntry', { entryId: entries[currentIndex - 1].id })
        },
        /** What the page says, and what has the focus. */
        text,
        focused: () => evaluate('document.activeElement ? document.activeElement.textContent : ""'),
        address: () => evaluate('location.href'),
        /** What a screen reader is told of the parts of the page. */
        async spoken(): Promise<readonly { readonly role: string; readonly name: string }[]> {
          const { nodes } = await ask('Accessibility.getFullAXTree')
          return nodes.map((node: any) => ({ role: node.role?.value, name: node.name?.value ?? '' }))
        },
        /** Waits until the page says this. */
        async until(says: string) {
          for (let waited = 0; waited < 20_000; waited += 50) {
            if ((await text().catch(() => '')).includes(says) && (await isDrawn().catch(() => false))) return
            await pause(50)
          }
          throw new Error(`never shown: ${says}\n${await text()}`)
        },
      }
    },
  }
}
