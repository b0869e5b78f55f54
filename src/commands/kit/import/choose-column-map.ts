import type { RecordType } from '../../../api/contract/records/record-type.ts'
import type { Context } from '../../../context/context.ts'
import { usage } from '../../../errors.ts'
import { readColumnMap, savedMap, saveMap } from '../../../import/reading/columns/column-map.ts'
import type { MapChooser } from '../../../import/reading/row-source.ts'
import { openPrompts } from '../steps/open-prompts.ts'

/** How a person names the map of the last time instead of a file. */
const remembered = 'remembered'

/**
 * Chooses what each column of a file is: as the file of --map says, which is then remembered by the header. A header
 * that was mapped before is offered its map at a terminal; elsewhere `--map remembered` takes it.
 */
export function columnMapFor(context: Context, type: RecordType, given: string | undefined): MapChooser {
  return async (header) => {
    const directory = await context.directory()
    if (given !== undefined && given !== remembered) {
      const map = await readColumnMap(given)
      await saveMap(directory, type, header, map)
      return map
    }
    const before = await savedMap(directory, type, header)
    if (given === remembered) {
      if (before) return before
      throw usage('No column map is remembered for a file with this header. Nothing was sent.')
    }
    if (!before) return undefined
    if (context.interactive) {
      const ask = await openPrompts(context)
      const message = 'A file with this header was imported before. Use the same column map?'
      return (await ask.confirm({ message, default: true })) ? before : undefined
    }
    context.note('A file with this header was imported before: --map remembered uses the same column map.')
    return undefined
  }
}
