import { fileURLToPath } from 'node:url'

const webClasses = fileURLToPath(new URL('../src/api/http/web-classes.ts', import.meta.url))

/** Where a package names a web class of the platform, and by that loads Node's built-in fetch. */
const platformClass = /\bglobalThis\.(Request|Response|Headers)\b/g

/** ky asks whether the platform has these. Nothing of ours is a form or a stream. */
const unused = /\bglobalThis\.(FormData|ReadableStream)\b/g

/**
 * ky would join a signal of its own to ours for each request, for a time limit that it is not asked to keep: an
 * AbortSignal.any costs as much as the rest of ky.
 */
const ownSignal = /\btypeof globalThis\.AbortController\b/g

/**
 * A plugin for rolldown and for vitest, so that what is tested is what is shipped. It lets two packages load less of
 * Node; what they do stays the same.
 */
export function lightPackages() {
  return {
    name: 'light-packages',
    transform(code: string, id: string) {
      const light = lighter(code, id)
      // Lines stay where they are, but for one more at the head of ky.
      return light === undefined ? undefined : { code: light, map: null }
    },
  }
}

function lighter(code: string, id: string): string | undefined {
  if (/\/node_modules\/ky\//.test(id)) return withoutFetch(code)
  if (id.endsWith('/node_modules/commander/lib/command.js')) return withoutChildProcess(code)
  return undefined
}

/** ky with the classes of web-classes.ts. */
function withoutFetch(code: string): string | undefined {
  const light = code
    .replace(platformClass, 'webClasses.$1')
    .replace(unused, 'undefined')
    .replace(ownSignal, "'undefined'")
  return light === code ? undefined : `import * as webClasses from ${JSON.stringify(webClasses)};\n${light}`
}

/** commander starts programs of their own for subcommands, which payroll has none of. */
function withoutChildProcess(code: string): string {
  const eager = "const childProcess = require('node:child_process');"
  if (!code.includes(eager)) throw new Error('commander names node:child_process in another way now.')
  return code.replace(eager, '').replaceAll('childProcess.', "require('node:child_process').")
}
