import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { atTerminal, keys, type Run, type Terminal } from '../../payroll.ts'
import { type Asked, answerForm, emptyBut } from '../../prompts/form-driver.ts'

type Replies = Record<string, string | readonly string[]>

/** What a draft's file holds, with its id. */
export function draftsIn(home: string): any[] {
  const folder = join(home, 'drafts')
  const files = existsSync(folder) ? readdirSync(folder) : []
  return files.map((name) => ({
    id: name.replace('.json', ''),
    ...JSON.parse(readFileSync(join(folder, name), 'utf8')),
  }))
}

/** What a form says last where it keeps its answers, on one line. */
export const saved = 'Your answers are saved. To continue: payroll candidates create --ireland'

/** Answers by the beginning of the question, and no other answers, until a question begins with `stopAt`. */
export function answering(replies: Replies, stopAt?: string): (asked: Asked) => string | undefined {
  const reply = emptyBut(replies)
  return (asked) => (stopAt !== undefined && asked.text.startsWith(stopAt) ? undefined : reply(asked))
}

/** A form that is given up at a question, by Ctrl-C. */
export async function stopForm(
  argv: readonly string[],
  setting: { readonly home: string; readonly env?: Record<string, string> },
  replies: Replies,
  stopAt = 'Date of birth',
): Promise<Run> {
  const terminal = atTerminal(argv, setting)
  await answerForm(terminal, answering(replies, stopAt))
  await terminal.type('', keys.ctrlC)
  return terminal.ended
}

/** Answers a terminal to the end of its run. */
export async function completeForm(terminal: Terminal, replies: Replies): Promise<Run> {
  await answerForm(terminal, answering(replies))
  return terminal.ended
}

export const firstAnswers = { 'Agency reference': 'A-17', Forename: 'Aoife', Surname: 'Example' } as const
