import type { Writable } from 'node:stream'
import { usage } from '../errors.ts'
import type { Json, JsonObject } from '../files/json/path.ts'
import type { Fields } from '../model/fields/field.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { type Format, formats, type OutputFormat } from './formats.ts'
import { rawText } from './json-output.ts'
import type { ListType, Renderer, TypeOfList, Writing } from './renderer.ts'
import { safeLines } from './text/safe-text.ts'
import { type Style, styleFor } from './text/style.ts'

interface OutputOptions extends Omit<Writing, 'style' | 'put' | 'clean'> {
  readonly stream: Writable
  /** Called when the stream cannot be written to. It throws unless the run is to go on anyway. */
  readonly onUnwritable?: (error: Error) => void
  /** Called when the whole answer was written, however the run ends. */
  readonly onWhole?: () => void
  readonly format: Format
  readonly colour: boolean
  /** Whether a terminal shows it, and would act on control characters in it. */
  readonly terminal?: boolean
  readonly query?: string | undefined
  readonly raw?: boolean | undefined
}

/** Writes the answer of a command in its format. Only an export, the completion script and the pager write texts of their own. */
export interface Output {
  readonly format: OutputFormat
  /** Whether a person reads it as it is handed over: no program, and no query. */
  readonly isRead: boolean
  readonly style: Style
  readonly stream: Writable
  record(record: JsonObject, type?: Pick<RecordType, 'fields' | 'currency'>): Promise<void>
  /** Writes a whole list, with the columns of its type. Rows that have none of them are shown with their own. */
  list(rows: readonly Json[], type?: ListType): Promise<void>
  /** Writes a list that comes in pages, and returns how many items it had. */
  pages(pages: AsyncIterable<readonly Json[]>, typeOf?: TypeOfList): Promise<number>
  /** A value that is not a record. `text`: for a person. */
  value(value: Json, text?: string): Promise<void>
  /** A value that is not a record, whose text may be longer than the screen. */
  report(value: Json, text: string | undefined): Promise<void>
}

/** Makes the writer of standard output. */
export function createOutput(options: OutputOptions): Output {
  const { query, columns } = options
  const format = formats[options.format]
  const style = styleFor(options.colour)
  const put = (text: string | Uint8Array) => write(options.stream, text).catch(options.onUnwritable)
  const clean = (text: string) => (options.terminal ? safeLines(text) : text)
  let loaded: Promise<Renderer> | undefined
  const renderer = () => {
    loaded ??= format.load().then(({ renderers }) => renderers.result({ ...options, style, put, clean }))
    return loaded
  }
  return {
    format,
    isRead: format.isForPerson && query === undefined,
    style,
    stream: options.stream,
    record: (one, type) =>
      whole(async () =>
        query === undefined ? (await renderer()).record(one, type) : writeSelected(query, one),
      ),
    list: (rows, type) => whole(() => writeList(rows, type)),
    pages: (pages, typeOf = () => undefined) =>
      whole(async () => {
        const { pages: writePages } = await renderer()
        if (writePages && query === undefined) return writePages(pages, typeOf)
        const rows: Json[] = []
        for await (const items of pages) for (const item of items) rows.push(item)
        await writeList(rows, typeOf())
        return rows.length
      }),
    value: (one, text) => whole(() => writeValue(one, text, false)),
    report: (one, text) => whole(() => writeValue(one, text, true)),
  }

  async function whole<T>(writeAnswer: () => Promise<T>): Promise<T> {
    const result = await writeAnswer()
    options.onWhole?.()
    return result
  }

  async function writeList(rows: readonly Json[], type?: ListType): Promise<void> {
    if (query !== undefined) return writeSelected(query, rows, type?.fields)
    const { list, pages } = await renderer()
    await (pages ? pages([rows], () => type) : list(rows, type))
  }

  async function writeValue(one: Json, text: string | undefined, mayPage: boolean): Promise<void> {
    if (columns) throw usage('--columns selects fields of records. For this result use --query.')
    return query === undefined ? (await renderer()).value(one, text, mayPage) : writeSelected(query, one)
  }

  async function writeSelected(expression: string, whole: Json, fields?: Fields): Promise<void> {
    const select = (await import('./query.ts')).query(expression)
    const isMasked = format.isForPerson && !options.reveal
    const result = isMasked ? await selectMasked(select, whole, fields) : select(whole)
    return options.raw ? put(clean(rawText(result))) : (await renderer()).selected(result)
  }
}

/** Selects from the masked value. Throws a usage failure where that would find something else than the value itself. */
async function selectMasked(select: (value: Json) => Json, whole: Json, fields?: Fields): Promise<Json> {
  const { differsByMasksOnly, maskFields } = await import('./text/mask.ts')
  const result = select(maskFields(whole, fields))
  if (differsByMasksOnly(result, select(whole))) return result
  throw usage(
    'The --query compares values that a table hides, and would find something else.',
    'Add --reveal, or choose another format: -o json',
  )
}

/** Resolves when the stream has taken the text: a slow pipe gets all of it. */
export function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
