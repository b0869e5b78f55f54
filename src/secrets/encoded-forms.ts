/** Shorter secrets are ignored: amounts, dates and names contain such short texts too. */
const shortest = 8

/**
 * The forms that a secret can have in a text: plain, encoded as in a URL, a form or a JSON string, and in base64 at any
 * position of the encoded bytes. None for a secret of fewer than eight characters.
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
      // Some JSON libraries escape the slash too.
      json.replaceAll('/', '\\/'),
      ...[url, form].flatMap((text) => [text, text.replace(/%../g, (code) => code.toLowerCase())]),
      ...inBase64,
      ...inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ]),
  ]
}

/** The bytes in base64 after `before` other bytes, without the characters that also encode neighbouring bytes. */
function base64(bytes: Uint8Array, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
  const shared = [0, 2, 3][before]
  return text.slice(shared).replace(/.=+$/, '')
}
