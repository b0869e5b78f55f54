import type { Context } from '../../context/context.ts'
import { changeKeys } from '../../context/keys/stored-keys.ts'
import { usage } from '../../errors.ts'
import { keyStore } from '../../profile/key-store.ts'
import type { Options } from '../kit/declare/options.ts'
import { openPrompts } from '../kit/steps/open-prompts.ts'

/** No key and no token is longer. */
const longest = 16_384

/**
 * Stores a key for a profile and the one origin it may be sent to, in place of any key or token that was stored
 * for it. The first profile becomes the default.
 */
export async function storeKey(context: Context, name: string, baseUrl: URL, key: string): Promise<void> {
  const place = { directory: context.directory, env: context.host.env }
  const warnings = await changeKeys(place, name, (before) => {
    const { journal } = keyStore(before).get(name)
    const settings = keyStore(before).set(name, {
      key: { origin: baseUrl.origin, key },
      ...(journal && { journal }),
    })
    return {
      ...settings,
      default: settings.default ?? name,
      profiles: {
        ...settings.profiles,
        [name]: { ...settings.profiles[name], baseUrl: baseUrl.href.replace(/\/$/, '') },
      },
    }
  })
  for (const warning of warnings) context.warn(warning)
}

/** A secret from a hidden prompt or from standard input; never from an option, where `ps` would show it. */
export async function readSecret(context: Context, options: Options, name: string): Promise<string> {
  const secret = await read(context, options, name)
  context.host.secrets.hide(secret)
  return secret
}

async function read(context: Context, { withToken }: Options, name: string): Promise<string> {
  const { stdin } = context.host
  if (context.interactive && !withToken) {
    const ask = await openPrompts(context)
    return ask.password({ message: `${name} (not shown)` })
  }
  if (stdin.isTTY && !withToken) throw usage(`${name}: read from standard input. Add, for example: < key.txt`)
  let text = ''
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.length > longest) break
  }
  return text
}
