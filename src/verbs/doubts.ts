import type { Context } from '../context/context.ts'
import type { Issue } from '../errors.ts'
import { printWarning } from './ask-about-gaps.ts'

/**
 * Says what a public standard or plain sense doubts about a record, before it is sent. Returns 'always' where a person is
 * at the terminal and is to be asked whether to send it all the same.
 */
export async function sayDoubts(context: Context, doubts: readonly Issue[]): Promise<'always' | undefined> {
  const asks = context.interactive && !context.options.yes
  for (const doubt of doubts) {
    if (asks) await printWarning(context, doubtLine(doubt))
    else context.note(doubtLine(doubt))
  }
  return asks && doubts.length > 0 ? 'always' : undefined
}

/** A doubt as a line for a person. It shows no sensitive value. */
export const doubtLine = ({ path, message }: Issue): string => `${path}: ${message}`
