import { text } from '../api/contract/fields/field.ts'
import { valueInResponse } from '../api/contract/mapping/field-mapping.ts'
import { idOf } from '../api/contract/records/identity.ts'
import type { Options } from '../cli/options.ts'
import type { FindVerb } from '../cli/resource-verbs.ts'
import type { Context } from '../context/context.ts'
import { Failure, usage } from '../errors.ts'
import { compactNumber, foldText, grouped, plural } from '../formats/words.ts'
import type { JsonObject } from '../json/path.ts'
import { listsOf, searchLists } from './search-lists.ts'

/** A shorter text begins too many ids by chance. */
const shortestId = 4

/** A PPS number has eight characters. */
const shortestNumber = 8

/** Shows the records that a text is in. Throws a Failure (exit 5) where there is none. */
export async function runFind(
  context: Context,
  { list, by, numbers, columns, noun }: FindVerb,
  typed: string,
  options: Options,
): Promise<void> {
  const words = foldText(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) throw usage('There is nothing to look for.')
  const lists = listsOf(list, options)
  let total = 0
  const isWanted = (item: JsonObject) => hasWords(item) || beginsWith(item) || hasNumber(item)
  const onRead = (count: number) => {
    total += count
  }
  const matches = await searchLists(context, lists, isWanted, { onRead })
  const places = lists.map(({ variant }) => variant?.place ?? '').join(' and ')
  if (matches.length === 0) {
    throw new Failure(
      'not-found',
      `No ${noun} matches ${typed}: ${plural(total, noun)} searched (${places}).`,
      {
        hint: 'A part of a name, reference or e-mail is enough; an NI or PPS number must be whole.',
      },
    )
  }
  const { isForPerson } = context.output.format
  const rows = matches.map(({ item, list: { variant } }) => ({
    ...item,
    variant: (isForPerson ? variant?.place : variant?.id) ?? null,
  }))
  const { response } = lists[0]?.operation ?? {}
  const fields = response?.kind === 'page' ? (response.type?.fields ?? {}) : {}
  await context.output.list(rows, {
    fields: { ...fields, variant: text('Country') },
    columns: [...columns],
    documented: true,
  })
  if (isForPerson) context.note(`${grouped(matches.length)} of ${grouped(total)}`)

  function hasWords(item: JsonObject): boolean {
    const values = by
      .map((paths) => valueInResponse(item, paths))
      .filter((value) => typeof value === 'string')
    const whole = foldText(values.join(' '))
    return words.every((word) => whole.includes(word))
  }

  function hasNumber(item: JsonObject): boolean {
    const number = compactNumber(typed)
    return numbers.some((paths) => {
      const value = valueInResponse(item, paths)
      return typeof value === 'string' && number.length >= shortestNumber && compactNumber(value) === number
    })
  }

  function beginsWith(item: JsonObject): boolean {
    return typed.length >= shortestId && (idOf(item)?.toLowerCase().startsWith(typed.toLowerCase()) ?? false)
  }
}
