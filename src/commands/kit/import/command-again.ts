import type { Context } from '../../../context/context.ts'
import { readingOptions } from '../../../files/table/read-formats.ts'
import type { ImportJob } from '../../../import/job.ts'
import { type OptionName, type Options, optionDeclarations, optionWord } from '../../cli/options.ts'
import { typedCommand, withOptions } from '../command-line.ts'

const ofOneRun = (Object.keys(optionDeclarations) as OptionName[]).filter(
  (name) => optionDeclarations[name].ofOneRun,
)

/** The options by which a file must be read as it was imported. */
export const readingFlags = (options: Options): readonly string[] =>
  readingOptions.flatMap((name) =>
    [options[name] ?? []].flat().flatMap((value) => [optionWord(name), String(value)]),
  )

/** The typed command with other options, or for another file. That may change what is remembered, so its date order is named. */
export function commandAgain(
  context: Context,
  { typedFile, source: { dateFormat } }: ImportJob,
  options: readonly string[],
  file = typedFile,
): string {
  const { argv } = context.host
  const isOther = file !== typedFile
  // A copy has one sheet, with its headings in the first row.
  const names: readonly OptionName[] = isOther ? [...ofOneRun, 'headingRow', 'sheet'] : ofOneRun
  const left = new Map(
    names.map((name) => [optionWord(name), optionDeclarations[name].value !== undefined] as const),
  )
  const at = argv.indexOf(typedFile, argv.indexOf('import') + 1)
  const words = argv.flatMap((word, index) => {
    if (index === at) return [file]
    const [name = ''] = word.split('=')
    return left.has(name) || left.get(argv[index - 1] ?? '') ? [] : [word]
  })
  const isNamed = words.some((word) => word.startsWith('--date-format'))
  const order = isOther && dateFormat && !isNamed ? ['--date-format', dateFormat] : []
  return typedCommand(context, withOptions(words, [...order, ...options]))
}
