/**
 * What still shows of a hidden value, by its kind: enough for a person who knows the value to recognise it, and not
 * enough to learn it.
 */
const masks = {
  /** A key or a token: its last four characters, which tell two keys apart; nothing of a short one. */
  key: (text) => (text.length < 12 ? '****' : `****${text.slice(-4)}`),
  /** A number or a text: its last three letters or digits, if it has eight or more. */
  value(text) {
    const characters = text.match(/[\p{L}\p{N}]/gu) ?? []
    return characters.length < 8 ? '******' : `******${characters.slice(-3).join('')}`
  },
  /** A date: nothing. */
  date: () => '******',
  /** A date that was just typed, spelled out: day and month, which are easily confused, and not the year. */
  'typed date': (text) => text.replace(/\d{4}$/, '****'),
  /**
   * A sort code that an import doubts: all of it. Of one that lost its zero stars would show nothing, and with the account
   * number masked it opens no account.
   */
  'doubted sort code': (text) => text,
} satisfies Readonly<Record<string, (text: string) => string>>

/** What is shown instead of a value of this kind. */
export function maskAs(kind: keyof typeof masks, text: string): string {
  return masks[kind](text)
}
