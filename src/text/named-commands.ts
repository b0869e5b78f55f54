import { shellWord } from './shell-word.ts'

/** `payroll`, options such as `--profile acme`, and a word behind them, up to the end of the part of a sentence, or of the line. Not each is a command. */
const mentions =
  /\bpayroll ((?:--profile[ =](?:'[^']*'|"[^"]*"|\S+) |--?(?!profile|help)[a-z-]+ )*)(--help|[a-z][a-z-]*)\b((?:\\.|'[^']*'|"[^"]*"|[^.,:?;()'"\\\n]|[.,:?](?!\s|$))*)/g

/**
 * The commands that a text names: `payroll auth login --profile acme`. `nouns`: the words after `payroll` by
 * which they are found. A sentence about payroll is none.
 */
export function commandsIn(text: string, nouns: readonly string[]): string[] {
  const commands = [...text.matchAll(mentions)].flatMap(([, options = '', noun = '', rest = '']) =>
    nouns.includes(noun) || noun === '--help' ? [`payroll ${options}${noun}${rest}`.trim()] : [],
  )
  return [...new Set(commands)]
}

/**
 * The name of a command in a sentence about it. What begins with `payroll` is to be typed: a wrapper runs it,
 * and a run with a profile adds that.
 */
export const spokenOf = (command: string): string => command.replace(/^payroll /, '')

/** Commands that are the same for every profile, or name one themselves. */
const withoutProfile =
  /^payroll (?:(?:commands|completion|explain|facts|help|sandbox|schema|template)\b|profiles (?!show$)|.*--(?:help|profile)\b)/

/**
 * A text whose commands are typed with the profile of this run. Without it they would be about another
 * service, such as the default one.
 */
export function withProfile(
  text: string,
  nouns: readonly string[],
  profile: string | undefined,
  platform?: NodeJS.Platform,
): string {
  if (profile === undefined) return text
  const option = ` --profile ${shellWord(profile, platform)}`
  return text.replace(mentions, (mention: string, _options: string, noun: string) => {
    if (!nouns.includes(noun) || withoutProfile.test(mention.trim())) return mention
    // None is read after --.
    const [, command = '', end = ''] = /^(.*?)((?: -- .*|\s*))$/s.exec(mention) ?? []
    return command + option + end
  })
}
