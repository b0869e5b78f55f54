import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { atTerminal, keys, type Run, type Terminal } from '../../payroll.ts'
import { type Asked, answerForm, onlyThese } from '../../prompts/form-driver.ts'

/** What a draft's file holds, with its id. */
export function draftsIn(home: string): any[] {
  const folder = join(home, 'drafts')
  const files = existsSync(folder) ? readdirSync(folder) : []
  return files.map((name) => ({
    id: name.replace('.json', ''),
    ...JSON.parse(readFileSync(join(folder, name), 'utf8')),
  }))
}

/** Answers by the beginning of the question, and no other answers, until a question begins with `stopAt`. */
export function answering(
  replies: Record<string, string | readonly string[]>,
  stopAt?: string,
): (asked: Asked) => string | undefined {
  const reply = onlyThese(replies)
  return (asked) => (stopAt !== undefined && asked.text.startsWith(stopAt) ? undefined : reply(asked))
}

/** A form that is given up at a question, by Ctrl-C. */
export async function stopForm(
  argv: readonly string[],
  { home, env = {} }: { home: string; env?: Record<string, string> },
  replies: Record<string, string | readonly string[]>,
  stopAt = 'Date of birth',
): Promise<Run> {
  const terminal = atTerminal(argv, { home, env })
  await answerForm(terminal, answering(replies, stopAt))
  await terminal.type('', keys.ctrlC)
  return terminal.ended
}

/** Answers a terminal to the end of its run. */
export async function completeForm(
  terminal: Terminal,
  replies: Record<string, string | readonly string[]>,
): Promise<Run> {
  await answerForm(terminal, answering(replies))
  return terminal.ended
}

export const firstAnswers = { 'Agency reference': 'A-17', Forename: 'Aoife', Surname: 'Example' } as const
