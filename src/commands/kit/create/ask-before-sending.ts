import type { Context } from '../../../context/context.ts'
import { Failure } from '../../../errors.ts'
import type { JsonObject } from '../../../json/path.ts'
import type { Creation } from '../declare/create-request.ts'
import { askAboutGaps, sayDoubt } from '../steps/ask-about-gaps.ts'
import { openPrompts } from '../steps/open-prompts.ts'
import { describeTaken, findSameReference, ownReference } from './same-reference.ts'

/** Paths to ask for again, none to go back to the record; undefined to send it. */
type Verdict = readonly string[] | undefined

/**
 * Before a form creates a record: asks whether one without a name was meant, and whether one whose reference another
 * record has already, or may have, is to be sent all the same. Throws a Failure when the person stops.
 */
export async function askBeforeSending(
  context: Context,
  creation: Creation,
  body: JsonObject,
): Promise<Verdict> {
  const { options, type } = creation
  const again = options.incomplete ? undefined : await askAboutGaps(context, type, body)
  return again ?? askAboutReference(context, creation, body)
}

async function askAboutReference(context: Context, creation: Creation, body: JsonObject): Promise<Verdict> {
  const { options, type } = creation
  // A dry run sends nothing that could be there twice.
  if (options.dryRun && !options.unique) return undefined
  const reference = ownReference(creation, body)
  const path = type.reference?.request ?? ''
  if (reference === undefined) {
    return options.unique
      ? decide(context, 'There is no reference that --unique could look for.', [path])
      : undefined
  }
  const found = await look(context, creation, reference)
  if (found === undefined) return undefined
  return decide(context, found.message, found.isTaken ? [path] : [], !options.unique)
}

interface Finding {
  readonly message: string
  /** Whether another record has it; else that is not known, and another reference would not help. */
  readonly isTaken: boolean
}

/** What to tell the person about the reference; undefined where there is nothing to tell. */
async function look(context: Context, creation: Creation, reference: string): Promise<Finding | undefined> {
  try {
    const matches = await findSameReference(context, creation, reference)
    return matches.length > 0
      ? { message: `${describeTaken(reference, matches)}.`, isTaken: true }
      : undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { message: `Whether ${reference} exists already is not known. ${error.message}`, isTaken: false }
  }
}

async function decide(
  context: Context,
  message: string,
  paths: readonly string[],
  maySend = false,
): Promise<Verdict> {
  const { choose } = await openPrompts(context)
  sayDoubt(context, message)
  const choice = await choose<'change' | 'back' | 'send' | 'stop'>({
    message: 'Send it?',
    choices: [
      ...(paths.length > 0 ? [{ value: 'change' as const, name: 'Change the reference' }] : []),
      {
        value: 'back',
        name:
          paths.length > 0 ? 'Back to the record' : 'Back to the record: try again, or keep it as a draft',
      },
      ...(maySend ? [{ value: 'send' as const, name: 'Send it all the same' }] : []),
      { value: 'stop', name: 'Stop, and send nothing' },
    ],
  })
  if (choice === 'stop')
    throw new Failure('usage', 'Stopped. Nothing was sent.', { outcome: 'not-sent', declined: true })
  if (choice === 'send') return undefined
  return choice === 'change' ? paths : []
}
