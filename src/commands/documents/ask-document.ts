import { statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Context } from '../../context/context.ts'
import type { JsonObject } from '../../json/path.ts'
import { openPrompts } from '../../verbs/open-prompts.ts'
import { uploaded } from './upload.ts'

/** Asks for a file, its name and what it is; the body that they make. Throws as an upload does. */
export async function askDocument(context: Context): Promise<JsonObject | undefined> {
  const ask = await openPrompts(context)
  const upload = unquoted(
    await ask.input({
      message: 'File',
      hint: ' (such as passport.pdf; Ctrl-C stops)',
      validate: (typed) => isFile(unquoted(typed)) || 'There is no such file.',
    }),
  )
  const body = await uploaded(context, { upload })
  const name = await ask.input({ message: 'Name', preset: basename(upload) })
  const description = await ask.input({ message: 'Description', hint: ' (Enter for none)' })
  return {
    ...body,
    name: name.trim(),
    ...(description.trim() && { description: description.trim() }),
  }
}

/** A path as some terminals paste it, when a file is dragged into them. */
const unquoted = (typed: string) => typed.trim().replace(/^'(.*)'$|^"(.*)"$/, '$1$2')

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true
