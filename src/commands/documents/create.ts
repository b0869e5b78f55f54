import { existsSync, type Stats, statSync } from 'node:fs'
import { constants, open, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { lookup } from 'mrmime'
import type { Context } from '../../context/context.ts'
import { invalidInput, onFailure, usage } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { asOpenFailure } from '../../files/table/open-failure.ts'
import { document } from '../../model/resources/document.ts'
import { operations } from '../../model/resources/operations.ts'
import { type Creation, creationOf } from '../cli/create-request.ts'
import type { Options } from '../cli/options.ts'
import type { CreateRules } from '../cli/resource-verbs.ts'
import type { Input, VerbAnswer } from '../cli/verb.ts'
import { mustAsk } from '../kit/confirm.ts'
import { createGiven } from '../kit/create/create.ts'
import { createdFields } from '../kit/create/send-create.ts'
import { dryRunFields } from '../kit/dry-run.ts'
import { type ListedRecord, searchLists, withoutList } from '../kit/find/search-lists.ts'
import { givenBody, wantsForm } from '../kit/input.ts'
import { openPrompts } from '../kit/open-prompts.ts'
import { isOnlyWebPage } from './get.ts'
import { describeUpload, withPerson } from './with-person.ts'

const { create, get, list } = operations.documents

/** The service may give a document another name. */
const rules: CreateRules = { operation: create, get, isRenamed: true, list }

export const createdAnswer: VerbAnswer = {
  prints: 'json',
  shapes: [
    { records: [document] },
    { about: 'Where the service does not return the record.', fields: createdFields },
    { with: '--dry-run', fields: dryRunFields },
  ],
}

/** Uploads a file, or what was given as JSON; at a terminal it asks for the file. */
export async function createDocument(context: Context, { arguments: words, options }: Input): Promise<void> {
  const withNames = namedBy(words, options)
  if (!options.dryRun) await mustAsk(context, 'create a document')
  await withPerson(context, withNames, { writes: true, mustBeListed: true }, async (whose) => {
    const creation = creationOf(rules, whose)
    await context.client()
    const upload = await readUpload(context, whose)
    const fromForm = upload || !wantsForm(context, whose) ? undefined : await askDocument(context)
    const { body, doubts } = await givenBody(context, creation.type, whose, upload ?? fromForm)
    const isAsked = context.interactive && !whose.dryRun
    const isThere = isAsked && (await warnOfSameName(context, creation, body))
    await createGiven(context, { ...creation, body }, doubts, {
      asksAlways: fromForm !== undefined || isThere,
      name: async () => describeUpload(context, body, whose),
    })
  })
}

/** Whether a person has a document of this name, which is said: the same command is easily entered twice. */
async function warnOfSameName(context: Context, { parameters }: Creation, { name }: JsonObject) {
  const idOfSame = ({ item, id = 'without an id' }: ListedRecord) => (item.name === name ? id : undefined)
  const ids = await searchLists(context, [list], idOfSame, { parameters }).catch(
    onFailure((failure): string[] => {
      context.warn(withoutList('find out whether the document is there already', failure))
      return []
    }),
  )
  if (ids.length > 0) context.warn(`a document of this name is there already (${ids.join(', ')}).`)
  return ids.length > 0
}

/** The options, with the person and the file as --employee and --upload. Beside --employee, one word is the file. */
function namedBy({ person: one, file: other }: Input['arguments'], options: Options): Options {
  // Whichever comes first: where only that is a file, the other word is none that could be sent.
  const isFileFirst = one !== undefined && other !== undefined && fileAt(one) && !fileAt(other)
  const [person, second] = isFileFirst ? [other, one] : [one, other]
  const { employee = person } = options
  if (second !== undefined && employee !== person)
    throw usage('--employee cannot be combined with a person: both say whose document this is.')
  const file = employee === person ? second : person
  const { upload = file } = options
  if (file !== undefined && options.file !== undefined)
    throw usage('--file cannot be combined with a file to upload: both say what the document is.')
  if (file !== undefined && upload !== file)
    throw usage('--upload cannot be combined with a file: both say what is uploaded.')
  if (employee === undefined) throw usage('Whose document is it? Name the person, and then the file.')
  return { ...options, employee, ...(upload !== undefined && { upload }) }
}

/** What is at a path, if it is a file. A reference may be no path at all: too long, or with a file in place of a folder. */
function fileAt(path: string): Stats | undefined {
  const stats = existsSync(path) ? statSync(path) : undefined
  return stats?.isFile() ? stats : undefined
}

/** assumed: no limit of the service is shown; a payslip or a passport is far smaller. */
const largestUpload = 16 * 1024 * 1024

/** What stands at the beginning of a file of these media types; a PDF may have something before it. */
const beginnings: Readonly<Record<string, string>> = {
  'application/pdf': '%PDF-',
  'image/jpeg': '\xFF\xD8\xFF',
  'image/png': '\x89PNG',
}

/**
 * The body of an upload: name, media type and bytes as base64. Throws a usage failure for anything but a
 * plain file of at most 16 MiB, and exit 3 for one that is empty or changes. Warns of a symbolic link, and of a saved login page.
 */
async function readUpload(context: Context, { upload }: Options): Promise<JsonObject | undefined> {
  if (upload === undefined) return undefined
  // Opening a named pipe would wait until something is written to it.
  const file = await open(upload, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(
    (error: unknown) => {
      throw asOpenFailure(upload, error)
    },
  )
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw usage(`${upload} is not a plain file.`)
    if (stats.size > largestUpload) {
      throw usage(`${upload} has ${Math.ceil(stats.size / 1024 / 1024)} MiB; the limit is 16 MiB.`)
    }
    const target = await readlink(upload).catch(() => undefined)
    if (target !== undefined) context.warn(`${upload} is a link to ${target}; that file is sent.`)
    const name = basename(upload)
    const content = await file.readFile()
    if (content.length === 0) throw invalidInput(`${upload} is empty.`, [])
    const now = await file.stat()
    if (content.length !== stats.size || now.size !== stats.size || now.mtimeMs !== stats.mtimeMs)
      throw invalidInput(
        `${upload} was changed while it was read.`,
        [],
        'Wait until it is whole, such as at the end of a download, then run the same command again.',
      )
    const contentType = lookup(name) ?? 'application/octet-stream'
    const beginning = beginnings[contentType] ?? ''
    if (isOnlyWebPage(content, name) || !content.subarray(0, 1024).includes(beginning, 0, 'latin1'))
      context.warn(`${upload} is not the document that its name says: one of its kind begins otherwise.`)
    return { name, contentType, content: content.toString('base64') }
  } finally {
    await file.close()
  }
}

/** Asks for a file, its name and what it is; the body that they make. Throws as an upload does. */
async function askDocument(context: Context): Promise<JsonObject | undefined> {
  const ask = await openPrompts(context)
  const upload = await ask.read({
    message: 'File',
    hint: ' (such as passport.pdf; Ctrl-C stops)',
    read(typed) {
      const path = stripQuotes(typed)
      const stats = fileAt(path)
      if (!stats) throw usage('There is no such file.')
      if (stats.size === 0) throw usage('The file is empty.')
      return path
    },
  })
  const body = await readUpload(context, { upload })
  const name = await ask.read({ message: 'Name', preset: basename(upload), read: String })
  const description = await ask.read({ message: 'Description', hint: ' (Enter for none)', read: String })
  return {
    ...body,
    name: name.trim(),
    ...(description.trim() && { description: description.trim() }),
  }
}

/** A path as some terminals paste it, when a file is dragged into them. */
const stripQuotes = (text: string) => text.trim().replace(/^'(.*)'$|^"(.*)"$/, '$1$2')
