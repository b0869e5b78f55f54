/** A word of a command: for sh, bash and zsh; on Windows for PowerShell, and cmd.exe where it can be both. */
export function shellWord(word: string, system: NodeJS.Platform = process.platform): string {
  return system === 'win32' ? windowsWord(word) : posixWord(word)
}

/**
 * Whether every shell of a system carries a word unchanged: PowerShell 5.1 breaks double quotes, and a
 * backslash at the end (about_Parsing, "Passing arguments that contain quote characters").
 */
export function isCarried(word: string, system: NodeJS.Platform = process.platform): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}]/u.test(word) && !(system === 'win32' && /"|\\$/.test(word))
}

/** Quotes a word for sh, bash and zsh. A `~` alone would be a folder, and `=ls` in zsh a program. */
function posixWord(word: string): string {
  if (/^[\w./:@,+…-][\w./:=@,+…-]*$/.test(word)) return word
  return /[$`"\\!]/.test(word) ? quoted(word) : `"${word}"`
}

/** A word in single quotes, for sh, bash and zsh. */
export const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** The command that sets the mode of a file or folder: `chmod 700 '/home/ann/.config/payroll'`. Not for Windows. */
export const chmodCommand = (mode: string, path: string): string => `chmod ${mode} ${quoted(path)}`

/**
 * Words that need no quotes: options, names and paths, but nothing that PowerShell reads as a number (0017),
 * a list or a parameter.
 */
const bareOnWindows = /^(?:--?[A-Za-z][\w-]*|[A-Za-z_][\w./\\:=@+-]*|(?:0|[1-9]\d{0,8}))$/

/** PowerShell takes typographic quotes for its own (about_Quoting_Rules), and doubles the one that is meant as a letter. */
const singleQuotes = /['\u2018-\u201B]/g

function windowsWord(word: string): string {
  if (bareOnWindows.test(word)) return word
  // cmd.exe knows double quotes alone. Within them PowerShell reads $ and `, and ends at a double quote.
  return /[$`"\u201C-\u201E]/.test(word) ? `'${word.replace(singleQuotes, '$&$&')}'` : `"${word}"`
}
