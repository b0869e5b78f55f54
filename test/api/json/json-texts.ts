/** Texts at the edges of the grammar of RFC 8259 that the public suite of json-suite.test.ts does not have, by what is special about them. */
export type Texts = Readonly<Record<string, string | Uint8Array>>

const bytes = (...parts: readonly (string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))))

/** JSON, of which no parser may say that it is none. */
export const accepted: Texts = {
  'an object with nothing in it': '{}',
  'a list with nothing in it': '[]',
  'blanks of all four kinds': ' \t\r\n{ \t\r\n"id"\t: \r\n1 } \n',
  'a bare null': 'null',
  'a bare text of nothing': '""',
  'numbers in every form': '{"id":[0,-0,10,-1.50,1e3,1E+3,2e-3,0.0e0]}',
  'a number that no double holds': '{"id":[1e400,-1e400,1e-400,123456789012345678901234567890]}',
  'control characters as escapes': String.raw`{"id":"\u0000\u001b[2J\u007f\u009b"}`,
  'half of a pair, as an escape': String.raw`{"id":"\ud83d"}`,
  'DEL and C1, which need no escape': '{"id":"\u007f\u009b2J"}',
  'marks that turn the direction of writing': '{"id":"\u202egnp.exe\u2066"}',
  'one name twice': '{"id":"a","id":"b"}',
  'names that mean something to JavaScript': '{"__proto__":{"id":1},"constructor":{},"toString":1}',
  'names that differ by case alone': '{"id":"a","ID":"b"}',
  'sixty levels': `${'['.repeat(60)}${']'.repeat(60)}`,
}

/** No JSON, whatever a lenient parser makes of it. */
export const rejected: Texts = {
  nothing: '',
  blanks: ' \n',
  'typographic quotes': '{“id”:1}',
  'a comment of a shell': '# a\n{"id":1}',
  'two values in two lines': '{"id":1}\n{"id":2}\n',
  'a space in a number': '{"id":1 000}',
  'a comma in a number': '{"id":1,5}',
  'a number that is a BigInt': '{"id":1n}',
  'an escape character inside of a text': '{"id":"\u001b[2J"}',
  'a NUL behind it': '{"id":1}\u0000',
  'an escape character in front': '\u001b]0;owned\u0007{"id":1}',
  'a blank of another kind': '{"id":\u00a01}',
  'a byte-order mark in the middle': '{"id":\ufeff1}',
  'a web page': '<!doctype html><p>Sign in</p>',
  'a page of XML': '<?xml version="1.0"?><id>1</id>',
  'a call around it, as in JSONP': 'done({"id":1})',
  'an expression in brackets': '({"id":1})',
  'text of YAML': 'id: 1\n',
  'many objects that do not end': '{"id":'.repeat(50_000),
  'a quote in two bytes': bytes('{"id":"', 0xc0, 0xa2, '"}'),
  'half of a pair, as bytes': bytes('{"id":"', 0xed, 0xa0, 0x80, '"}'),
  'a character beyond the last': bytes('{"id":"', 0xf5, 0x80, 0x80, 0x80, '"}'),
  'text in Latin-1': Buffer.from('{"id":"Séan"}', 'latin1'),
  'text in UTF-16': Buffer.from('{"id":1}', 'utf16le'),
}
