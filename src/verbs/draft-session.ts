import type { Creation } from '../cli/create-request.ts'
import { nounOf } from '../cli/target.ts'
import type { Context } from '../context/context.ts'
import type { Draft } from '../drafts/draft.ts'
import { deleteDraft, writeDraft } from '../drafts/draft-folder.ts'
import { Failure } from '../errors.ts'
import { commandLine } from './command-line.ts'

/** The draft of a form that is open: on the disk as soon as there is an answer, and until the record is created. */
export interface DraftSession {
  /** The draft as it is now; undefined while nothing of it is kept. */
  current(): Draft | undefined
  /** Writes the answers down. If they cannot be written, the person is warned once, and the form goes on. */
  keep(answers: Draft['answers']): Promise<void>
  /** Notes when the record was sent: who resumes the draft must check first. `undefined`, or the time of an earlier try, undoes it. */
  sent(at: string | undefined): Promise<void>
  remove(): Promise<void>
}

/** @param wasStored whether the draft is on the disk already */
export async function openSession(context: Context, draft: Draft, wasStored: boolean): Promise<DraftSession> {
  const directory = await context.directory()
  let now = draft
  let isStored = wasStored
  let isTold = false
  return {
    current: () => (isStored ? now : undefined),
    async keep(answers) {
      if (isStored && serialize(answers) === serialize(now.answers)) return
      now = { ...now, answers }
      if (Object.keys(answers).length > 0) await write()
      else if (isStored) await remove()
    },
    async sent(at) {
      const { sent, ...others } = now
      now = at === undefined ? others : { ...others, sent: at }
      await write()
    },
    remove,
  }

  async function write(): Promise<void> {
    now = { ...now, changed: new Date(context.host.now()).toISOString(), tool: context.version }
    try {
      await writeDraft(directory, now)
      isStored = true
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (!isTold) context.warn(`your answers cannot be saved as a draft: ${error.message}`)
      isTold = true
    }
  }

  async function remove(): Promise<void> {
    await deleteDraft(directory, now.id)
    isStored = false
  }
}

/** The command that resumes a draft. */
export async function resumeCommand(context: Context, { operation }: Creation, id: string): Promise<string> {
  return commandLine(context, nounOf(operation), 'drafts', 'resume', id)
}

/** Answers as text, to compare them: JSON alone has no `undefined`. */
const serialize = (answers: Draft['answers']) =>
  JSON.stringify(Object.entries(answers).map(([path, value]) => [path, value ?? null, value === undefined]))
