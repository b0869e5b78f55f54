/** The beginning of a command to be copied: one of this tool, or of the system. */
const commandStart =
  /(?:^|: |\b(?:run|See) )(?=payroll (?!itself)[a-z]|(?:chmod|icacls|mv|move|rm|del) \S*['"\d])/

/** A word; or a command in brackets, which stays in one piece. */
const piece = /\(payroll [a-z][^()]*\)\S*|\S+/g

/** How many columns a screen has: some terminals report none, or 0. */
export const screenWidth = ({ columns }: { readonly columns?: number | undefined }): number => columns || 80

/** Words in lines of at most this width, each after a margin. A longer word stays whole. */
export function foldWords(words: readonly string[], width: number, margin = ''): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    const longer = line === '' ? margin + word : `${line} ${word}`
    if (line !== '' && longer.length > width) {
      lines.push(line)
      line = margin + word
    } else line = longer
  }
  return [...lines, line]
}

/**
 * A message as lines of a screen. A command to be copied stays whole, on a line of its own if it has to: the terminal
 * breaks it, and what is copied has no break. Letters are counted, not measured, so that no library is loaded.
 */
export function foldMessage(text: string, columns: number | undefined): string {
  if (!columns || text.length <= columns) return text
  const at = commandStart.exec(text)
  const end = at ? at.index + at[0].length : text.length
  const margin = /^ */.exec(text)?.[0] ?? ''
  const after = sentenceAfter(text, end)
  if (after !== undefined)
    return [text.slice(0, after), margin + text.slice(after + 2)]
      .map((part) => foldMessage(part, columns))
      .join('\n')
  const lines = foldWords(text.slice(0, end).match(piece) ?? [], columns, margin)
  const line = lines.pop() ?? ''
  const command = text.slice(end)
  if (command === '') return [...lines, line].join('\n')
  if (line === '') return command
  const isRoom = line.length + 1 + command.length <= columns
  // A command on its own line is copied to the end of the line, so its full stop is left out.
  const alone = margin + command.replace(/ --help\.$/, ' --help')
  return [...lines, ...(isRoom ? [`${line} ${command}`] : [line, alone])].join('\n')
}

/** The full stop between a command and a sentence after it, which begins a line: what is copied has no full stop. */
function sentenceAfter(text: string, start: number): number | undefined {
  const stop = text.slice(start).search(/\. (?=[A-Z])/)
  const isQuoted = (text.slice(start, start + stop).match(/["']/g) ?? []).length % 2 === 1
  return stop < 0 || isQuoted ? undefined : start + stop
}
