import { statSync } from 'node:fs'
import { constants, open, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { lookup } from 'mrmime'
import type { Context } from '../../context/context.ts'
import { invalidInput, usage } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { asOpenFailure } from '../../files/table/open-failure.ts'
import type { Options } from '../cli/options.ts'
import { openPrompts } from '../kit/open-prompts.ts'
import { isOnlyWebPage } from './download.ts'

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
 * plain file of at most 16 MiB. Warns of a symbolic link, and of a saved
 * login page.
 */
export async function readUpload(context: Context, { upload }: Options): Promise<JsonObject | undefined> {
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
    const contentType = lookup(name) ?? 'application/octet-stream'
    if (isOnlyWebPage(content, name))
      context.warn(`${upload} is a web page, not the document that its name says.`)
    else if (!content.subarray(0, 1024).includes(beginnings[contentType] ?? '', 0, 'latin1'))
      context.warn(`${upload} is not the document that its name says: one of its kind begins otherwise.`)
    return { name, contentType, content: content.toString('base64') }
  } finally {
    await file.close()
  }
}

/** Asks for a file, its name and what it is; the body that they make. Throws as an upload does. */
export async function askDocument(context: Context): Promise<JsonObject | undefined> {
  const ask = await openPrompts(context)
  const upload = stripQuotes(
    await ask.text({
      message: 'File',
      hint: ' (such as passport.pdf; Ctrl-C stops)',
      refuse: (typed) => {
        const stats = statSync(stripQuotes(typed), { throwIfNoEntry: false })
        if (!stats?.isFile()) return 'There is no such file.'
        return stats.size === 0 ? 'The file is empty.' : undefined
      },
    }),
  )
  const body = await readUpload(context, { upload })
  const name = await ask.text({ message: 'Name', preset: basename(upload) })
  const description = await ask.text({ message: 'Description', hint: ' (Enter for none)' })
  return {
    ...body,
    name: name.trim(),
    ...(description.trim() && { description: description.trim() }),
  }
}

/** A path as some terminals paste it, when a file is dragged into them. */
const stripQuotes = (typed: string) => typed.trim().replace(/^'(.*)'$|^"(.*)"$/, '$1$2')
