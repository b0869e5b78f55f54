import type { Context } from '../../../context/context.ts'
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
