import type { RecordType } from '../../../api/contract/records/record-type.ts'
import type { Context } from '../../../context/context.ts'
import { usage } from '../../../errors.ts'
import { assertFits, readColumnMap } from '../../../import/reading/columns/column-map.ts'
import type { Matching, MatchingHelp } from '../../../import/reading/columns/match-file.ts'
import { savedMatching, saveMatching } from '../../../import/reading/columns/matching-memory.ts'
import { isRejects } from '../../../import/reading/columns/own-header.ts'
import { openPrompts } from '../steps/open-prompts.ts'

/** How a person names what is remembered, instead of the file of a map. */
const remembered = 'remembered'

/**
 * Finds out what a file does not say of itself: from the map of `--map`, from what is remembered of files with its
 * header, and by asking at a terminal. The rejects of a file, and a file that was imported already, are read as it was,
 * without a question.
 */
export function matchingHelp(
  context: Context,
  type: RecordType,
  mapFile: string | undefined,
  isDone: boolean,
): MatchingHelp {
  return {
    mapFile,
    async recall(header) {
      const before = await savedMatching(await context.directory(), type, header)
      if (mapFile !== undefined && mapFile !== remembered) {
        const map = await readColumnMap(mapFile)
        assertFits(type, header, map, mapFile)
        return { ...(isRejects(header) && before), map }
      }
      if (mapFile === remembered && !before) {
        throw usage('Nothing is remembered of a file with these headings. Nothing was sent.')
      }
      if (!before || mapFile === remembered || isDone) return before
      if (isRejects(header)) {
        context.note(
          'This file of rejects is read as the file before it was: the same columns, and the same order of dates where it does not show.',
        )
        return before
      }
      return before.map === undefined ? undefined : await useAgain(context, before)
    },
    ...(context.interactive &&
      !isDone && {
        matchColumns: async (found, survey) =>
          (await import('./ask-columns.ts')).askColumns(await openPrompts(context), type, found, survey),
        chooseOrder: async (unclear, header) => {
          const before = await savedMatching(await context.directory(), type, header)
          const { askOrder } = await import('./ask-columns.ts')
          return askOrder(await openPrompts(context), unclear, before?.dateFormat)
        },
      }),
    remember: async (header, matching) => {
      if (Object.keys(matching).length === 0) return
      await saveMatching(await context.directory(), type, header, matching)
    },
  }
}

async function useAgain(context: Context, before: Matching): Promise<Matching | undefined> {
  if (!context.interactive) {
    context.note(
      'A file with these headings was imported before: --map remembered uses the same column matching.',
    )
    return undefined
  }
  const ask = await openPrompts(context)
  const message = 'A file with these headings was imported before. Use the same column matching?'
  return (await ask.confirm({ message, default: true })) ? before : undefined
}
