import { fieldAt } from '../../../api/contract/fields/field-tree.ts'
import { lackingFields } from '../../../api/contract/records/lacking.ts'
import type { RecordType } from '../../../api/contract/records/record-type.ts'
import type { Context } from '../../../context/context.ts'
import type { JsonObject } from '../../../json/path.ts'
import { safeText } from '../../../render/text/safe-text.ts'
import { wrapText } from '../../../render/text/wrap-text.ts'
import { openPrompts } from './open-prompts.ts'

/**
 * Before a form sends a record without a field that it needs: asks whether that was meant. Returns the paths to ask for
 * again, none to go back to the record; undefined to send it as it is. `before` is the record that an update starts from:
 * what that lacked already is not asked about.
 */
export async function askAboutGaps(
  context: Context,
  type: RecordType,
  body: JsonObject,
  before?: JsonObject,
): Promise<readonly string[] | undefined> {
  const known = before ? lackingFields(type, before).map(({ path }) => path) : []
  const paths = lackingFields(type, body)
    .map(({ path }) => path)
    .filter((path) => !known.includes(path))
  if (paths.length === 0) return undefined
  const labels = paths.map((path) => (fieldAt(type.fields, path)?.label ?? path).toLowerCase())
  const { choose } = await openPrompts(context)
  sayDoubt(
    context,
    `This is ${type.displayName} without ${labels.map((label) => `a ${label}`).join(' and ')}.`,
  )
  return choose<readonly string[] | undefined>({
    message: 'Send it?',
    choices: [
      { value: paths, name: 'Fill it in' },
      { value: [], name: 'Back to the record' },
      { value: undefined, name: 'Send it without' },
    ],
  })
}

/** Says what is doubtful on a line of its own: as a question it would not fit a narrow screen. */
export function sayDoubt({ host, style }: Context, message: string): void {
  const text = wrapText(`${style.caution('!')} ${safeText(message)}`, host.stderr.columns ?? 80)
  host.stderr.write(`${text}\n`)
}
