import { Failure } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { stringifyJson } from '../../files/json/stringify.ts'
import { maskFields } from '../../render/text/mask.ts'
import { safeText } from '../../render/text/safe-text.ts'
import type { FormSection } from './form.ts'
import type { FormContext } from './form-context.ts'
import { sectionLabel } from './review.ts'

/** A request as a dry run shows it. */
export interface RequestPreview {
  readonly method: string
  readonly url: string
  readonly body: JsonObject
  /** What sending would ask about first, such as a missing name. */
  readonly doubt?: string | undefined
}

/**
 * Shows a dry run on the form's terminal: what would be sent, or why it would be refused. Standard output
 * stays free for the answer of the run.
 */
export async function showRequest(
  { say, style, shown }: FormContext,
  sections: readonly FormSection[],
  preview: Promise<RequestPreview>,
): Promise<void> {
  try {
    const { method, url, body, doubt } = await preview
    say('')
    say(style.heading('What would be sent'))
    say(`${method} ${url}`)
    const json = stringifyJson(shown().masked ? maskFields(body) : body, 2)
    // A line that is too long continues with the same indent.
    for (const line of json.split('\n')) say(safeText(line.trim()), /^ */.exec(line)?.[0])
    say('This was a dry run: nothing was sent.')
    if (doubt) say(`${style.caution('!')} ${safeText(doubt)} Sending it asks about that first.`)
    say('')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    say(style.bad(`! ${error.message}`))
    for (const { path, message } of error.details.issues ?? [])
      say(`${sectionLabel(sections, path)}: ${message}`, '  ')
  }
}
