import type { Options } from '../cli/options.ts'
import type { Context } from '../context/context.ts'
import { type Issue, invalidInput } from '../errors.ts'
import { printWarning } from './ask-about-gaps.ts'

/**
 * Says what a public standard or plain sense doubts about a record, before it is sent. Returns 'always' where a person is
 * at the terminal and is to be asked whether to send it anyway.
 */
export async function sayDoubts(context: Context, doubts: readonly Issue[]): Promise<'always' | undefined> {
  const asks = context.interactive && !context.options.yes
  for (const doubt of doubts) {
    if (asks) await printWarning(context, doubtLine(doubt))
    else context.note(doubtLine(doubt))
  }
  return asks && doubts.length > 0 ? 'always' : undefined
}

/** What --strict does: throws a Failure (exit 3) with what is doubted, if anything. Nothing is sent. */
export function assertNoDoubts(doubts: readonly Issue[], { strict }: Options): void {
  if (!strict || doubts.length === 0) return
  const what = doubts.length === 1 ? 'One value is doubtful' : `${doubts.length} values are doubtful`
  throw invalidInput(`${what}.`, doubts, 'To send the record anyway, leave out --strict.')
}

/** A doubt as a line for a person. It shows no sensitive value. */
export const doubtLine = ({ path, message }: Issue): string => `${path}: ${message}`
