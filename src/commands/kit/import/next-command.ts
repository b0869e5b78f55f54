import type { Context } from '../../../context/context.ts'
import type { RowSource } from '../../../import/reading/open-source.ts'
import { typedCommand } from '../lookup/command-line.ts'

/** What belongs to one run alone, and whether a value follows. */
const ofOneRun: Readonly<Record<string, boolean>> = {
  '--dry-run': false,
  '--ready-only': false,
  '--resume': false,
  '--rejects': true,
  '--results': true,
}

/** The command of this run again, for another file and with other options: what was chosen for reading it stays. */
export function commandAgain(
  context: Context,
  given: string,
  { file = given, options = [] }: { readonly file?: string; readonly options?: readonly string[] },
): string {
  const { argv } = context.host
  const at = argv.indexOf(given, argv.indexOf('import') + 1)
  const words: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    const [name = ''] = word.split('=')
    if (index !== at && Object.hasOwn(ofOneRun, name)) {
      if (ofOneRun[name] && !word.includes('=')) index += 1
    } else words.push(index === at ? file : word)
  }
  return typedCommand(context, [...words, ...options])
}

/**
 * The command that imports the corrected copy of a file, read as that was. It names the order of dates: the one that is
 * remembered by the headings may be of another file by then.
 */
export function commandForFile(context: Context, given: string, source: RowSource, file: string): string {
  const { dateFormat } = source
  const isNamed = context.host.argv.some((word) => word.startsWith('--date-format'))
  return commandAgain(context, given, {
    file,
    options: dateFormat && !isNamed ? ['--date-format', dateFormat] : [],
  })
}
