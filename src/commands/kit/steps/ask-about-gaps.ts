import { fieldAt } from '../../../api/contract/fields/field-tree.ts'
import { lackingFields } from '../../../api/contract/records/lacking.ts'
import type { RecordType } from '../../../api/contract/records/record-type.ts'
import type { Context } from '../../../context/context.ts'
import type { JsonObject } from '../../../json/path.ts'
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
  return choose<readonly string[] | undefined>({
    message: `This is ${type.displayName} without ${labels.map((label) => `a ${label}`).join(' and ')}.`,
    mark: 'caution',
    choices: [
      { value: paths, name: 'Fill it in', short: '' },
      { value: [], name: 'Back to the record', short: '' },
      { value: undefined, name: 'Send it without', short: 'Sent without.' },
    ],
  })
}
