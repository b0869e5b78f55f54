/**
 * Reads the pieces of interface.md that carry facts: sections, bold labels, tables, sentences. Whatever is
 * asked for and not there is an error that names it, so that a test cannot pass by reading nothing.
 */

/** Some lines of the document, and what to call them when something in them is missing. */
export interface Part {
  readonly name: string
  readonly lines: readonly string[]
}

/** The lines under a heading, with its subsections. Throws when there is no such heading, or nothing under it. */
export function section(document: string, heading: string): Part {
  const lines = document.split('\n')
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  const level = lines[start]?.indexOf(' ') ?? 0
  const after = start < 0 ? [] : lines.slice(start + 1)
  const end = after.findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level)
  return filled({ name: heading, lines: end < 0 ? after : after.slice(0, end) })
}

/** The lines from a bold label, `**bankSetting**`, to the next one. */
export function labelled(part: Part, label: string): Part {
  const start = part.lines.findIndex((line) => line.startsWith(`**${label}**`))
  const after = start < 0 ? [] : part.lines.slice(start)
  const end = after.findIndex((line, index) => index > 0 && line.startsWith('**'))
  return filled({ name: `${part.name}, ${label}`, lines: end < 0 ? after : after.slice(0, end) })
}

/** The rows of the only table with these headings, cell by cell. */
export function table(part: Part, ...headings: string[]): string[][] {
  const starts = part.lines.flatMap((line, index) => (line === `| ${headings.join(' | ')} |` ? [index] : []))
  const [start] = starts
  if (start === undefined || starts.length > 1) {
    throw new Error(`${part.name}: ${starts.length} tables headed ${headings.join(', ')}, expected one`)
  }
  if (part.lines[start + 1] !== `|${'---|'.repeat(headings.length)}`) {
    throw new Error(`${part.name}: no rule under ${headings.join(', ')}`)
  }
  const below = part.lines.slice(start + 2)
  const length = below.findIndex((line) => !line.startsWith('|'))
  const rows = (length < 0 ? below : below.slice(0, length)).map((line) => line.slice(2, -2).split(' | '))
  const odd = rows.find((row) => row.length !== headings.length || row.some((cell) => cell.trim() === ''))
  if (rows.length === 0 || odd)
    throw new Error(`${part.name}: the table ${headings.join(', ')} has no good rows`)
  return rows
}

/** What the groups of the pattern caught, in the one place where it matches. */
export function sentence(part: Part, pattern: RegExp): string[] {
  const found = [...part.lines.join('\n').matchAll(new RegExp(pattern.source, 'gm'))]
  const [match] = found
  if (!match || found.length > 1) throw new Error(`${part.name}: ${found.length} × ${pattern}, expected one`)
  return match.slice(1)
}

/** Cuts at a separator that stands outside brackets and back-quotes. */
export function split(text: string, separator: string): string[] {
  const pieces = ['']
  let depth = 0
  let quoted = false
  for (const character of text) {
    if (character === '`') quoted = !quoted
    else if ('({['.includes(character)) depth += 1
    else if (')}]'.includes(character)) depth -= 1
    if (character === separator && depth === 0 && !quoted) pieces.push('')
    else pieces[pieces.length - 1] += character
  }
  const trimmed = pieces.map((piece) => piece.trim())
  if (depth !== 0 || quoted || trimmed.includes('')) throw new Error(`cannot cut "${text}" at "${separator}"`)
  return trimmed
}

/** "scheme, reference, isSalarySacrifice or pensionCalculationType", with or without back-quotes. */
export function names(text: string): string[] {
  const found = text.split(/, | or | and /).map((name) => name.replaceAll('`', ''))
  const odd = found.find((name) => !/^\w+$/.test(name))
  if (odd !== undefined) throw new Error(`"${odd}" is not a field name, in "${text}"`)
  return found
}

function filled(part: Part): Part {
  if (!part.lines.some((line) => line.trim() !== '')) throw new Error(`the document has no "${part.name}"`)
  return part
}
