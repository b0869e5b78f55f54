/** Shorter secrets are not looked for: what is that short occurs in amounts, dates and names as well. */
const shortest = 8

/**
 * The forms in which a secret may stand in a text: as it is, as in a URL, a form or a JSON string, and in base64
 * wherever in the encoded bytes it begins. None for a secret of fewer than eight characters.
 *
 * @param secret in ASCII
 */
export function encodedForms(secret: string): readonly string[] {
  if (secret.length < shortest) return []
  const bytes = Buffer.from(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  const url = encodeURIComponent(secret)
  const form = new URLSearchParams([['', secret]]).toString().slice(1)
  const inBase64 = [0, 1, 2].map((before) => base64(bytes, before))
  return [
    ...new Set([
      secret,
      json,
      // Some writers of JSON escape the slash too.
      json.replaceAll('/', '\\/'),
      ...[url, form].flatMap((text) => [text, text.replace(/%../g, (code) => code.toLowerCase())]),
      ...inBase64,
      ...inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ]),
  ]
}

/** What base64 makes of the bytes after so many others, without the characters that its neighbours have a part in. */
function base64(bytes: Uint8Array, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
  const shared = [0, 2, 3][before]
  return text.slice(shared).replace(/.=+$/, '')
}
