import { describe, expect, test } from 'vitest'
import type { Interrupted } from '../../src/errors.ts'
import { builtInFacts } from '../../src/model/facts/facts.ts'
import { operations } from '../../src/model/resources/operations.ts'
import { fillForm } from '../../src/prompts/form/fill-form.ts'
import type { Answers } from '../../src/prompts/form/form.ts'
import type { FormHost } from '../../src/prompts/questions/form-context.ts'
import type { Terminal } from '../payroll.ts'
import { answerForm, bareTerminal, onlyThese } from './form-driver.ts'

/** A form that is not opened by a command, and all that a command is handed back. */
function opened(start: Parameters<typeof fillForm>[2]) {
  const { host: terminalHost, stdin, screen } = bareTerminal()
  const host: FormHost = {
    ...terminalHost,
    today: '2026-07-01',
    facts: builtInFacts,
    serviceWords: new Map(),
    masked: false,
    recordsOf: async () => undefined,
    service: { name: 'sandbox', protected: false },
    country: 'ireland',
  }
  const end = fillForm(host, operations.candidates.createIreland, start)
  const terminal: Pick<Terminal, 'screen' | 'type'> & { ended: Promise<unknown> } = {
    screen,
    type: async (_, keys) => void stdin.write(keys),
    ended: end.catch(() => {}),
  }
  return { end, screen, stdin, terminal: terminal as unknown as Terminal }
}

/** The first question of a form without answers. */
async function firstQuestion(): Promise<string> {
  const { terminal } = opened({})
  let first = ''
  await answerForm(terminal, ({ text }) => {
    first = text
    return undefined
  })
  return first
}

const leftIn = (question = '') => Number(/(\d+) left$/.exec(question)?.[1])

describe('a form that begins with answers', () => {
  const answers = { 'generalSetting.forename': 'Aoife', 'payrollSetting.ppsNumber': '1234567FA' }

  test('says how many there are, asks only for what is missing, and gives back all of them', async () => {
    const { end, screen, terminal } = opened({ answers })
    const asked: string[] = []
    const reply = onlyThese({ Surname: 'Example', 'What next?': 'Send' })
    await answerForm(terminal, (question) => {
      asked.push(question.text)
      return reply(question)
    })
    const generalSetting = { forename: 'Aoife', surname: 'Example' }
    const body = { generalSetting, payrollSetting: { ppsNumber: '1234567FA' } }
    expect(await end).toEqual({ next: 'send', body })
    expect(screen()).toContain('New: an Irish candidate, on sandbox. 2 answers are there already.')
    expect(asked.filter((text) => /^(Forename|PPS)/.test(text))).toEqual([])
    expect(leftIn(asked[0])).toBe(leftIn(await firstQuestion()) - Object.keys(answers).length)
  })

  test('can take one of them back', async () => {
    const { end, terminal } = opened({ answers })
    const edit = { 'What next?': ['Edit', 'Send'], 'Which part?': 'generalSetting.forename' }
    await answerForm(terminal, onlyThese({ ...edit, Forename: '-' }))
    expect(await end).toEqual({ next: 'send', body: { payrollSetting: { ppsNumber: '1234567FA' } } })
  })
})

describe('a form whose answers are kept', () => {
  test('hands them over after each one that changes something, and as a draft', async () => {
    const kept: Answers[] = []
    const keep = async (answers: Answers) => void kept.push(answers)
    const { end, screen, terminal } = opened({ keep })
    const names = { Forename: 'Aoife', Surname: ['<', 'Example'] }
    await answerForm(terminal, onlyThese({ ...names, 'What next?': 'Stop' }))
    const whole = { 'generalSetting.forename': 'Aoife', 'generalSetting.surname': 'Example' }
    expect(kept).toEqual([{ 'generalSetting.forename': 'Aoife' }, whole])
    expect(await end).toEqual({ next: 'draft', answers: whole })
    expect(screen()).toContain('Stop, and keep it as a draft')
  })

  test.each([
    ['says so when it is interrupted', 'Eve', { outcome: 'not-sent', hint: 'Your answers are kept.' }],
    ['says nothing of answers that there are not', '', { outcome: 'not-sent' }],
  ])('%s', async (_, forename, details) => {
    const { end, stdin, terminal } = opened({ keep: async () => {}, kept: 'Your answers are kept.' })
    await answerForm(terminal, ({ text }) =>
      text.startsWith('Surname') ? undefined : text.startsWith('Forename') ? forename : '',
    )
    stdin.write('\u0003')
    const error = (await end.catch((thrown: unknown) => thrown)) as Interrupted
    expect([error.name, error.signal, error.message]).toEqual(['Interrupted', 'SIGINT', 'Stopped.'])
    expect(error.details).toEqual(details)
  })

  test('offers no draft where nobody keeps one', async () => {
    const { end, screen, terminal } = opened({})
    await answerForm(terminal, onlyThese({ Forename: 'Aoife', 'What next?': 'Stop' }))
    await expect(end).rejects.toMatchObject({ details: { declined: true, outcome: 'not-sent' } })
    expect(screen()).not.toContain('draft')
  })
})

test('a form that begins with a record shows what nobody declared, and keeps it', async () => {
  const before = { extra: 'yes', generalSetting: { forename: 'Aoife', shoeSize: 39 } }
  const { end, screen, terminal } = opened({ before })
  const edit = { 'What next?': ['Edit', 'Send'], 'Which part?': 'forename' }
  await answerForm(terminal, onlyThese({ ...edit, Forename: 'Eve' }))
  expect(screen()).toContain('\n  extra  yes\n  generalSetting.shoeSize  39\n')
  const body = { extra: 'yes', generalSetting: { forename: 'Eve', shoeSize: 39 } }
  expect(await end).toEqual({ next: 'send', body })
})
