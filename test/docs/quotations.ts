import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** A text in quotation marks in a comment. */
export interface Quotation {
  readonly text: string
  /** The whole comment, on one line. */
  readonly comment: string
  readonly line: number
}

/** The documents that a comment can quote besides interface.md, as it has to name them. */
const source =
  /\bRFC \d{4}|\bHMRC\b|\bRevenue\b|\babout_[A-Z]\w+|\bISO \d|\bPOSIX\b|\bPostgreSQL\b|\bUnicode\b|\bUAX\b|\bECMA-\d/

const page = comparable(
  readFileSync(new URL('../fixtures/interface.md', import.meta.url), 'utf8').replaceAll('|', ' '),
)

/** Whether a quotation is a sentence of interface.md, or stands beside the name of the document that it is from. */
export function isFromSource({ text, comment }: Quotation): boolean {
  const parts = text.split('…').map(comparable)
  return source.test(comment) || parts.every((part) => page.includes(part))
}

/** Marks, line breaks and capitals do not make another sentence. */
function comparable(text: string): string {
  const plain = text.replaceAll(/[`*:]/g, '').replaceAll('’', "'").replaceAll(/\s+/g, ' ')
  return plain
    .trim()
    .replace(/[.,;]$/, '')
    .toLowerCase()
}

/** What stands in double quotation marks in the comments of a file. What is in backticks is no quotation. */
export function quotationsIn(code: string): Quotation[] {
  if (!/(?:\/\/|^\s*\/?\*).*["“]/m.test(code)) return []
  return commentsIn(code).flatMap(({ raw, at }) => {
    const comment = raw.replaceAll(/\n?\s*(?:\/\*\*?|\*\/|\/\/|(?<=\n\s*)\*) ?/g, ' ').replaceAll(/\s+/g, ' ')
    const line = code.slice(0, at).split('\n').length
    return [
      ...comment.replaceAll(/`[^`]*`/g, (span) => span.replaceAll('"', '')).matchAll(/["“]([^"”]+)["”]/g),
    ].map(([, text = '']) => ({ text, comment: comment.trim(), line }))
  })
}

/** The comments of a file; those on lines that follow each other are one. */
function commentsIn(code: string): { raw: string; at: number }[] {
  const file = ts.createSourceFile('file.ts', code, ts.ScriptTarget.Latest)
  const ranges = new Map<number, number>()
  const visit = (node: ts.Node) => {
    const leading = ts.getLeadingCommentRanges(code, node.getFullStart()) ?? []
    const trailing = ts.getTrailingCommentRanges(code, node.getEnd()) ?? []
    for (const { pos, end } of [...leading, ...trailing]) ranges.set(pos, end)
    ts.forEachChild(node, visit)
  }
  visit(file)
  visit(file.endOfFileToken)
  const comments: { raw: string; at: number }[] = []
  let last = -1
  for (const [pos, end] of [...ranges].sort(([one], [other]) => one - other)) {
    const before = comments.at(-1)
    if (before && /^[ \t]*\n?[ \t]*$/.test(code.slice(last, pos))) before.raw = code.slice(before.at, end)
    else comments.push({ raw: code.slice(pos, end), at: pos })
    last = end
  }
  return comments
}
