// @module-tag process

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Terminal } from '../../payroll.ts'
import { start } from '../../process/built.ts'
import { inTerminal } from '../../process/terminal.ts'
import { answerForm, enterBut } from '../../prompts/form-driver.ts'
import { importFixture, people, refs } from '../import-fixture.ts'
import { sharedJournal } from '../shared-journal/empty-journal.ts'
import { withoutPostgres } from '../shared-journal/postgres.ts'

describe.skipIf(withoutPostgres)(
  `the form at a terminal, and an import of the same person at once (${withoutPostgres ?? 'PostgreSQL'})`,
  () => {
    const { claims, shared } = sharedJournal()

    /** A service that keeps the first request for A-002 waiting until it is let go. */
    async function here() {
      const at = await importFixture('candidates', shared())
      at.write(people(3))
      let letGo = () => {}
      const held = new Promise<void>((resolve) => {
        letGo = resolve
      })
      at.intercept(async ({ method, body }) => {
        if (method === 'POST' && body.includes('A-002')) await held
        return false
      })
      const sent = () => at.postsOf('A-002')
      const isSent = async () => {
        while (sent() === 0) await pause(10)
      }
      const env = { ...at.env, PAYROLL_CONFIG_DIR: at.home }
      const words = ['candidates', 'import', at.file, '--json', '--settle', '5']
      const startImport = () => start(words, { home: at.home, env })
      /** Types A-002 into the form and sends it; Enter for all that is not needed. */
      const fill = async () => {
        const terminal = inTerminal(['candidates', 'create', '--uk'], env)
        const answers = { 'Agency reference': 'A-002', Forename: 'Ann', Surname: 'Sample' }
        const reply = enterBut({ ...answers, 'What next?': 'Send' })
        await answerForm(terminal as unknown as Terminal, reply)
        return { ...(await terminal.ended), screen: terminal.screen() }
      }
      return { ...at, letGo, sent, isSent, startImport, fill }
    }

    test('a form behind an import is exit 11, says who is working on it, and one person is there', async () => {
      const at = await here()
      const running = at.startImport()
      await at.isSent()
      const form = await at.fill()
      expect(form.exitCode).toBe(11)
      expect(form.screen).toMatch(/has been working on A-002 since .+ UTC\.\s+Nothing\s+was\s+sent\./)
      at.letGo()
      expect(await running.ended).toMatchObject({ code: 0 })
      expect(at.sent()).toBe(1)
      expect(await at.there()).toEqual(refs(3))
    })

    test('an import behind a form leaves the person to it, and one person is there', async () => {
      const at = await here()
      const form = at.fill()
      await at.isSent()
      const running = at.startImport()
      while (at.posted().length < 3) await pause(10)
      at.letGo()
      expect((await form).exitCode).toBe(0)
      const ended = await running.ended
      expect(ended).toMatchObject({ code: 0 })
      expect(JSON.parse(ended.out)).toMatchObject({ created: 2, existing: 1, pending: 0 })
      expect(at.sent()).toBe(1)
      expect(await at.there()).toEqual(refs(3))
      expect(new Set(Object.values(claims(at)))).toEqual(new Set(['created 1']))
    })
  },
)
