/** Text that would move the cursor, hide, reorder or cover something, each with what may be left of it. */
export const hostile: readonly (readonly [what: string, text: string, harmless: string])[] = [
  ['a colour', '\u001B[31mred', '[31mred'],
  ['a cleared screen', 'a\u001B[2J\u001B[Hb', 'a[2J[Hb'],
  ['a window title', '\u001B]0;mine\u0007x', ']0;minex'],
  [
    'a hyperlink (OSC 8)',
    '\u001B]8;;https://example.com\u001B\\pay\u001B]8;;\u001B\\',
    ']8;;https://example.com\\pay]8;;\\',
  ],
  ['a C1 control sequence', '\u009B31mred\u009D8;;x\u009C', '31mred8;;x'],
  ['a backspace and a delete', 'paid\b\b\b\bowed\u007F', 'paidowed'],
  ['a NUL and a bell', 'a\u0000b\u0007c', 'abc'],
  ['a line break', 'one\r\ntwo\nthree\rfour', 'one two three four'],
  ['a tab', 'one\t\ttwo', 'one two'],
  ['a vertical tab and a form feed', 'a\u000Bb\u000Cc', 'abc'],
  ['a line and a paragraph separator', 'a\u2028b\u2029c\u0085d', 'abcd'],
  ['a bidi override', 'a\u202Egnp.exe\u202C', 'agnp.exe'],
  ['bidi isolates and marks', '\u2066a\u2067b\u2068c\u2069\u200E\u200F\u061C', 'abc'],
  ['zero-width characters', 'a\u200Bb\u200Cc\u200Dd\u2060e\uFEFFf\u00ADg', 'abcdefg'],
  ['tags', 'a\u{E0041}\u{E007F}b', 'ab'],
  ['half a character', 'a\uD800b\uDC00c', 'abc'],
  ['a heap of marks', `a${'\u0301'.repeat(10_000)}b`, 'a\u0301\u0301\u0301\u0301b'],
  [
    'a heap of marks with something between',
    `a${'\u0301\u200B'.repeat(10_000)}b`,
    'a\u0301\u0301\u0301\u0301b',
  ],
]

/** Each of them in one text, and what no terminal may be sent. */
export const allHostile = hostile.map(([, text]) => text).join(' ')

/** Whether text holds anything but what can be seen, apart from the line breaks that this tool makes itself. */
export function isHarmless(text: string): boolean {
  return !/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|\p{M}{5}/u.test(text)
}
