import { configuredCountry } from '../context/configured-country.ts'
import type { Context } from '../context/context.ts'
import { profileNames } from '../credentials/resolve.ts'
import { emptySettings } from '../credentials/settings.ts'
import { usage } from '../errors.ts'
import { lastName } from '../files/json/path.ts'
import { countries, defaultCountry } from '../model/countries/countries.ts'
import { leafFields } from '../model/fields/field-tree.ts'
import { allOperations } from '../model/resources/operations.ts'
import { knownCodes } from '../model/values/read-code.ts'
import { write } from '../render/output.ts'
import {
  type Command,
  findCommand,
  lastWord,
  operandsOf,
  optionsWithValue,
  subcommandsOf,
} from './cli/find-command.ts'
import { globalOptions, optionWord, outOption } from './cli/options.ts'
import { type RecordTypes, recordTypesByName, templates } from './cli/record-types.ts'
import { describeVerbOption, optionOf, type ProgramEntry, takesOut, type Verb } from './cli/verb.ts'
import { topics } from './help/topics.ts'

/*
 * Every script hands the words to `payroll complete --`, and never evaluates them: that would run a `$(command)` where
 * somebody presses the Tab key after it. A line for each offer has a tab before its meaning; the last is `:` and the sum
 * of 2 for no blank after the word and 4 for no file names.
 */

/** bash breaks words at = and :, and this joins them again. It needs nothing that a small system lacks. */
const forBash = String.raw`# bash completion for payroll
__payroll_complete() {
  local IFS=$'\n' words=() count=0 i word out line value cur= option= broken=
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${'$'}{COMP_WORDS[i]}
    # The word at the cursor comes whole, and the next one where the cursor stands before it.
    while ((i == COMP_CWORD)) && [[ ${'$'}{COMP_LINE:0:COMP_POINT} != *"$word" ]]; do word=${'$'}{word%?}; done
    if ((count > 0)) && [[ $word == [=:]* || ${'$'}{COMP_WORDS[i - 1]} == [=:] ]]; then
      words[count - 1]+=$word
    else
      words[count]=$word
      count=$((count + 1))
    fi
  done
  ((count > 0)) && cur=${'$'}{words[count - 1]}
  if [[ $cur == [\"\']* ]]; then
    # bash breaks no word after an open quotation mark, and keeps the mark itself.
    cur=${'$'}{cur:1}
    words[count - 1]=$cur
  elif [[ $cur == *[=:]* && $COMP_WORDBREAKS == *=* ]]; then
    broken=${'$'}{cur%"${'$'}{cur##*[=:]}"}
  fi
  # After an option and its equals sign, only the value is completed.
  [[ $cur == --*=* ]] && option=${'$'}{cur%%=*}=
  out=$(payroll complete -- "${'$'}{words[@]}" 2>/dev/null)
  COMPREPLY=()
  while read -r line; do
    value=$option${'$'}{line%%$'\t'*}
    [[ $value == "$cur"* && $line != :* && -n $line ]] && COMPREPLY+=("${'$'}{value#"$broken"}")
  done <<< "$out"
  local directive=${'$'}{out##*:}
  # What is not a number would be run as an expression.
  [[ $directive =~ ^[0-9]+$ ]] || directive=0
  ((directive & 2)) && compopt -o nospace 2>/dev/null
  if ((!(directive & 4) && ${'$'}{#COMPREPLY[@]} == 0)); then
    while read -r value; do
      [[ -n $value ]] && value=$option$value && COMPREPLY+=("${'$'}{value#"$broken"}")
    done <<< "$(compgen -f -- "${'$'}{cur#"$option"}")"
    compopt -o filenames 2>/dev/null
  fi
  return 0
}
complete -F __payroll_complete payroll
`

const forZsh = String.raw`#compdef payroll
compdef _payroll payroll

_payroll() {
  local out line value about before directive=0
  local -a typed offers
  typed=("${'$'}{(@Q)words[2,CURRENT-1]}" "${'$'}{(Q)PREFIX}")
  (( CURRENT > 1 )) || return 1
  out=$(payroll complete -- "${'$'}{typed[@]}" 2>/dev/null)
  # After an option and its equals sign, only the value is completed.
  [[ $words[CURRENT] == -*=* ]] && compset -P '*=' && before=${'$'}{(Q)words[CURRENT]%%=*}=
  for line in "${'$'}{(@f)out}"; do
    if [[ $line == :<-> ]]; then
      directive=${'$'}{line#:}
    elif [[ -n $line ]]; then
      value=${'$'}{line%%$'\t'*} about=
      [[ $line == *$'\t'* ]] && about=${'$'}{line#*$'\t'}
      value=${'$'}{value#"$before"}
      offers+=("${'$'}{value//:/\\:}${'$'}{about:+:$about}")
    fi
  done
  (( directive & 1 )) && return 1
  if (( ${'$'}{#offers} )); then
    local -a tight
    (( directive & 2 )) && tight=(-S '')
    _describe payroll offers "${'$'}{tight[@]}" && return 0
  fi
  (( directive & 4 )) && return 1
  _files
}

# Found in a folder of functions, it is run at once; sourced, it is not.
[[ ${'$'}{funcstack[1]} != _payroll ]] || _payroll "$@"
`

const forFish = `# fish completion for payroll
function __payroll_complete
  set -l typed (commandline -opc) (commandline -ct | string replace -r '^["\\']' '')
  set -l offers (payroll complete -- $typed[2..-1] 2>/dev/null)
  set -l before (string match -r -- '^--?[^=]*=' $typed[-1])
  set -l directive $offers[-1]
  set -e offers[-1]
  if test (count $offers) -eq 0; and test "$directive" = ':0'
    # As the words of no command are: files, with their quotes, blanks and ~.
    set offers (complete -C "'' "(commandline -ct | string replace -r '^--?[^=]*=' ''))
  end
  for offer in $offers
    echo "$before$offer"
  end
end
complete -c payroll -e
complete -c payroll -f -a '(__payroll_complete)'
`

/**
 * A curly quotation mark ends a string too, so each is doubled, here by its number: 5.1 reads the script through a pipe,
 * in the code page of its console.
 */
const forPowerShell = String.raw`# PowerShell completion for payroll
Register-ArgumentCompleter -Native -CommandName payroll -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $typed = @()
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    if ($element.Extent.StartOffset -ge $cursorPosition) { break }
    $isText = $element -is [System.Management.Automation.Language.StringConstantExpressionAst]
    $word = if ($isText) { $element.Value } else { $element.Extent.Text }
    # The cursor may stand inside the last word.
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    $typed += $word
  }
  # Before 7.3 an empty word is lost on its way to a program unless it is in quotation marks.
  $isOld = $PSVersionTable.PSVersion -lt [version]'7.3' -or $PSNativeCommandArgumentPassing -eq 'Legacy'
  $last = if ($wordToComplete -eq '' -and $isOld) { '""' } else { $wordToComplete }
  $typed += $last
  $lines = @(payroll complete '--' $typed 2>$null)
  $prefix = if ($wordToComplete -like '-*=*') { $wordToComplete.Substring(0, $wordToComplete.IndexOf('=') + 1) } else { '' }
  foreach ($line in $lines) {
    if ($line -eq '' -or $line -match '^:\d+$') { continue }
    $value, $about = $line.Split([char[]]@([char]9), 2)
    if ($prefix -ne '' -and -not $value.StartsWith($prefix)) { $value = $prefix + $value }
    if (-not $value.StartsWith($wordToComplete)) { continue }
    # A value with anything but these characters would be read as more than one plain word.
    $text = if ($value -match '^[\w./:=+-]+$') { $value } else { "'" + ($value -replace "(['\u2018-\u201B])", '$1$1') + "'" }
    if (-not $about) { $about = $value }
    [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $about)
  }
}
`

const scripts = { bash: forBash, zsh: forZsh, fish: forFish, powershell: forPowerShell } as const

/** A shell that has a completion script. */
export type ShellName = keyof typeof scripts

const shells = Object.keys(scripts) as readonly ShellName[]

/** `completion <shell>`: the script that a shell sources. */
export const completion: Verb = {
  name: 'completion',
  isLocal: true,
  summary: 'Print the completion script of a shell',
  arguments: [{ name: 'shell', summary: shells.join(', '), choices: shells }],
  examples: [
    'source <(payroll completion bash)',
    'payroll completion fish > ~/.config/fish/completions/payroll.fish',
  ],
  notes: [
    'To have it in every new shell:',
    ['bash', 'source <(payroll completion bash), in ~/.bashrc'],
    ['zsh', 'the same for zsh, in ~/.zshrc, below compinit'],
    ['fish', 'the file of the example, once; its folder has to be there'],
    ['PowerShell', 'payroll completion powershell | Out-String | Invoke-Expression, in the file of $PROFILE'],
  ],
  encodesOutput: true,
  answer: { prints: 'text' },
  async run(context, { arguments: { shell = '' } }) {
    const name = shells.find((each) => each === shell)
    if (!name) throw usage(`Unknown shell. Use one of: ${shells.join(', ')}.`)
    await write(context.output.stream, scripts[name])
  },
}

interface Completion {
  readonly offers: readonly Offer[]
  readonly isOpen?: boolean
}
type Offer = string | readonly [word: string, meaning: string]

/** `complete -- <words>`: what the scripts ask at every press of the key. */
export function complete(entries: readonly ProgramEntry[]): Verb {
  return {
    name: 'complete',
    answer: { prints: 'text' },
    summary: 'Print the suggestions for a completion script',
    arguments: [
      { name: 'words', summary: 'the words so far', variadic: true, optional: true, mayBeEmpty: true },
    ],
    examples: ['payroll complete -- candidates cr'],
    async run(context, { words = [] }) {
      const place = await completionAt({ context, entries, words })
      const { offers, isOpen } = place === 'file' ? { offers: [], isOpen: false } : place
      const lastWord = words.at(-1) ?? ''
      const current = /^--?\w[\w-]*=/.test(lastWord) ? lastWord.slice(lastWord.indexOf('=') + 1) : lastWord
      const lines = offers
        .map((offer) => (typeof offer === 'string' ? offer : offer.join('\t')))
        .filter((line) => line.startsWith(current))
      const directive = place === 'file' ? 0 : isOpen ? 6 : 4
      await write(context.host.stdout, [...lines, `:${directive}`, ''].join('\n'))
    },
  }
}

interface Line {
  readonly context: Context
  readonly entries: readonly ProgramEntry[]
  readonly words: readonly string[]
}

const nothing: Completion = { offers: [] }

async function completionAt(line: Line): Promise<Completion | 'file'> {
  const { entries, words } = line
  const [current = '', before = ''] = [words.at(-1), words.at(-2)]
  const visible = entries.filter(({ hidden }) => !hidden)
  const [, option = before, value = current] = /^(--?\w[\w-]*)=(.*)$/s.exec(current) ?? []
  const operands = operandsOf(words.slice(0, -1))
  // Behind these stands a command, too.
  const isAbout = ['help', 'commands'].includes(operands[0] ?? '')
  const { command, rest } = await findCommand(entries, isAbout ? operands.slice(1) : operands)
  if (optionsWithValue.has(option)) return valuesOf(option, value, command, line)
  if (current.startsWith('-')) return { offers: current.startsWith('--') ? optionsOf(command) : [] }
  if (operands.length === (isAbout ? 1 : 0))
    return {
      offers: [
        ...visible.map(({ name, summary }): Offer => [name, summary]),
        ...(operands[0] === 'help' ? topics : []),
      ],
    }
  if (!command) return nothing
  const after = rest.length === 0 ? subcommandsOf(command) : []
  const argument = !isAbout && 'run' in command.here ? command.here.arguments?.[rest.length] : undefined
  if (argument?.name === 'file') return 'file'
  const choices = argument && (argument.choices ?? (await readWords(inArgument[argument.name], line)))
  return {
    offers: [...after.map((each): Offer => [lastWord(each), each.summary]), ...(choices ?? [])],
  }
}

async function valuesOf(
  option: string,
  current: string,
  command: Command | undefined,
  line: Line,
): Promise<Completion | 'file'> {
  const { value = '', choices } = optionsWithValue.get(option) ?? {}
  const verb = command && 'run' in command.here ? command.here : undefined
  const name = verb?.options?.find((each) => optionWord(each) === option)
  // Where a verb takes another value behind it, such as the percent of compare, nothing is known of that.
  if (verb && name && optionOf(name, verb).value !== value) return nothing
  if (['path', 'file', 'id | file'].includes(value)) return 'file'
  const types = await recordTypesOf(command, line)
  const naming = namesInOptions.get(option)
  if (types && naming) return fieldNames(types, naming, current)
  return { offers: choices ?? (await readWords(inOption[option], line)) }
}

function optionsOf(command: Command | undefined): Offer[] {
  const verb = command && 'run' in command.here ? command.here : undefined
  return [
    ...globalOptions.map(({ flags, summary }): Offer => [/--[\w-]+/.exec(flags)?.[0] ?? '', summary]),
    ...(verb && takesOut(verb) ? [['--out', outOption.summary] as const] : []),
    ...(verb?.options?.map((name): Offer => [optionWord(name), describeVerbOption(name, verb).summary]) ??
      []),
  ]
}

/** The record of a command; of candidates that of the country that is typed, else of the one that the command would take. */
async function recordTypesOf(
  command: Command | undefined,
  { context, words }: Line,
): Promise<RecordTypes | undefined> {
  const [, noun = ''] = command?.path.split(' ') ?? []
  if (recordTypesByName[noun]) return recordTypesByName[noun]
  const country = countries.find(
    ({ flag, id }) => words.includes(flag) || words.includes(`${noun}.${id}`),
  )?.id
  return recordTypesByName[
    `${noun}.${country ?? (await configuredCountry(context).catch(() => defaultCountry.id))}`
  ]
}

/** How an option names fields: of which form of the record, what stands before a name, and what follows it. */
interface Naming {
  readonly of: keyof RecordTypes
  readonly before?: RegExp
  readonly after?: '='
}

/** The fields of a list, with commas between. */
const listed: Naming = { of: 'answered', before: /^(?:.*,)?/ }

const namesInOptions: ReadonlyMap<string, Naming> = new Map([
  ['--set', { of: 'sent', after: '=' }],
  ['--set-raw', { of: 'sent', after: '=' }],
  ['--unset', { of: 'sent' }],
  ['--allow-missing', { of: 'sent' }],
  ['--where', { of: 'answered', after: '=' }],
  ['--sort', { of: 'answered', before: /^-?/ }],
  ['--by', { of: 'answered' }],
  ['--columns', listed],
  ['--sum', listed],
])

/** Fields by the last part of their path where no other has it; after the equals sign the known values. */
function fieldNames(types: RecordTypes, { of, before = /^/, after }: Naming, current: string): Completion {
  const [lead = ''] = before.exec(current) ?? []
  const word = current.slice(lead.length)
  const leaves = leafFields(types[of]?.fields ?? {})
  const isAlone = (name: string) => leaves.filter(({ path }) => lastName(path) === name).length === 1
  const [name = '', value] = after ? word.split(after) : [word]
  const offers = leaves.flatMap(({ path, field }): Offer[] => {
    const short = isAlone(lastName(path)) ? lastName(path) : path
    if (value !== undefined)
      return [path, short].includes(name)
        ? knownCodes(field).map((code): Offer => [`${name}=${code}`, field.label])
        : []
    const names = new Set(word === '' ? [short] : [short, path])
    return [...names].map((each): Offer => [`${lead}${each}${after ?? ''}`, field.label])
  })
  return { offers, isOpen: after !== undefined && value === undefined }
}

type WordSource = (context: Context, words: readonly string[]) => Promise<readonly string[]>

/** The words of a source; none where it cannot be read, because pressing the key must not show an error. */
const readWords = async (
  source: WordSource | undefined,
  { context, words }: Line,
): Promise<readonly string[]> => (source ? source(context, words).catch(() => []) : [])

const profiles: WordSource = async (context) =>
  profileNames(await context.settings().catch(() => emptySettings))

const ruleNames: WordSource = async () => (await import('./check/rules.ts')).ruleIds

const inArgument: Readonly<Record<string, WordSource>> = {
  name: profiles,
  operation: async () => allOperations.map(({ id }) => id),
  what: async (_, words) => Object.keys(words.includes('template') ? templates : recordTypesByName),
  rule: ruleNames,
}

const inOption: Readonly<Record<string, WordSource>> = {
  '--profile': profiles,
  '--only': ruleNames,
}
