import type { Context } from '../../context/context.ts'
import { changeKeys } from '../../context/keys/stored-keys.ts'
import { keyStore } from '../../profile/keys/key-store.ts'

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
