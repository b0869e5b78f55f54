import { RootCommand, ShellCompDirective, script } from '@bomb.sh/tab'
import { fileOf } from '../context/choose-format.ts'
import type { Context } from '../context/context.ts'
import { outDeclaration } from '../context/global-options.ts'
import { profileNames } from '../credentials/resolve.ts'
import { emptySettings } from '../credentials/settings.ts'
import { usage } from '../errors.ts'
import { countries, defaultCountry } from '../model/countries/countries.ts'
import { leafFields } from '../model/fields/field-tree.ts'
import { allOperations } from '../model/operations/operations.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { knownCodes } from '../model/values/read-code.ts'
import { outputFormats } from '../render/formats.ts'
import { write } from '../render/output.ts'
import { type OptionName, optionDeclarations, optionWord } from './cli/options.ts'
import { type RecordTypes, recordTypesByName } from './cli/record-types.ts'
import { aliasesOf, describeVerbOption, type Entry, type Resource, type Verb, verbsOf } from './cli/verb.ts'
import { topics } from './help/topics.ts'

/** An option that every command understands, as the parser describes it. */
interface GlobalOption {
  readonly long?: string | undefined
  readonly description: string
  readonly argChoices?: readonly string[] | undefined
  /** Whether it takes a value. */
  readonly required: boolean
}

/**
 * For bash the library's script cannot be loaded twice, and changes how words break for every other program. This one
 * joins again what bash has broken at = and :, and needs nothing that a small system lacks.
 */
const forBash = String.raw`# bash completion for payroll
__payroll_complete() {
  local IFS=$'\n' words=() count=0 i word out line value cur= broken=
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${'$'}{COMP_WORDS[i]}
    if ((count > 0)) && [[ $word == [=:]* || ${'$'}{COMP_WORDS[i - 1]} == [=:] ]]; then
      words[count - 1]+=$word
    else
      words[count]=$word
      count=$((count + 1))
    fi
  done
  ((count > 0)) && cur=${'$'}{words[count - 1]}
  [[ $cur == *[=:]* && $COMP_WORDBREAKS == *=* ]] && broken=${'$'}{cur%"${'$'}{cur##*[=:]}"}
  out=$(payroll complete -- "${'$'}{words[@]}" 2>/dev/null)
  COMPREPLY=()
  while read -r line; do
    value=${'$'}{line%%$'\t'*}
    [[ $value == "$cur"* && $value != :* && -n $value ]] && COMPREPLY+=("${'$'}{value#"$broken"}")
  done <<< "$out"
  local directive=${'$'}{out##*:}
  # What is no number would be run as an expression.
  [[ $directive =~ ^[0-9]+$ ]] || directive=0
  ((directive & 2)) && compopt -o nospace 2>/dev/null
  if ((!(directive & 4) && ${'$'}{#COMPREPLY[@]} == 0)); then
    COMPREPLY=($(compgen -f -- "$cur"))
    compopt -o filenames 2>/dev/null
  fi
  return 0
}
complete -F __payroll_complete payroll
`

/**
 * For zsh the library's script evaluates the line that is being typed: the Tab key behind `--x$(command)=` would run the
 * command. This one hands the words on as they are, and evaluates nothing.
 */
const forZsh = String.raw`#compdef payroll
compdef _payroll payroll

_payroll() {
  local out line value about before directive=0
  local -a typed offers
  typed=("${'$'}{(@Q)words[2,CURRENT]}")
  (( CURRENT > 1 )) || return 1
  out=$(payroll complete -- "${'$'}{typed[@]}" 2>/dev/null)
  # Behind an option and its equals sign, only the value is completed.
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

/**
 * For PowerShell the library's script puts the line that is being typed into a command of its own and evaluates it, and
 * escapes only the straight quotation mark, though a curly one ends a text too. This one takes the words from what
 * PowerShell has parsed, and hands them on as an array.
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
    $text = if ($value -match '^[\w./:=+-]+$') { $value } else { "'" + ($value -replace "(['‘-‛])", '$1$1') + "'" }
    if (-not $about) { $about = $value }
    [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $about)
  }
}
`

/** Each shell with its script: ours, or undefined where the library's will do, which prints by itself. */
const scripts = {
  bash: forBash,
  zsh: forZsh,
  fish: undefined,
  powershell: forPowerShell,
} as const satisfies Readonly<Record<string, string | undefined>>

/** A shell that has a script: the packages put it where the shell looks. */
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
  ownFile: true,
  answer: { prints: 'text' },
  async run(context, { arguments: { shell = '' } }) {
    const name = shells.find((each) => each === shell)
    if (!name) throw usage(`Unknown shell. Use one of: ${shells.join(', ')}.`)
    const own = scripts[name]
    if (own !== undefined) return write(context.output.stream, own)
    if (fileOf(context.options.out) !== undefined)
      throw usage(`The script of ${shell} goes to standard output: use > instead of --out.`)
    script(shell, 'payroll', 'payroll')
  },
}

/** `complete -- <words>`: what the scripts ask at every press of the key. */
export function complete(entries: readonly Entry[], globalOptions: readonly GlobalOption[]): Verb {
  return {
    name: 'complete',
    answer: { prints: 'text' },
    summary: 'Print the suggestions for a completion script',
    arguments: [{ name: 'words', summary: 'the words so far', variadic: true, optional: true }],
    examples: ['payroll complete -- candidates cr'],
    async run(context, { words: typed = [] }) {
      const resource = entries.find(({ name }) => typed.includes(name))
      const words = resource ? withVerbNames(typed, resource.name, await resource.load()) : typed
      const [current = '', before] = [words.at(-1), words.at(-2)]
      const isTopic = words[0] === 'help' && words.length === 2
      if (before === '--set' || before === '--set-raw') {
        await write(context.host.stdout, assignments(recordTypesOf(resource?.name, words)?.sent, current))
        return
      }
      const answered = before === undefined ? undefined : recordTypesOf(resource?.name, words)?.answered
      if (answered && Object.hasOwn(namesInOptions, before ?? '')) {
        await write(context.host.stdout, fieldNames(answered, before as keyof typeof namesInOptions, current))
        return
      }
      const values = isTopic ? topicsOf(entries) : await valuesAt(context, await resource?.load(), words)
      if (values === 'file') await write(context.host.stdout, ':0\n')
      else if (values) {
        const fitting = values.filter((value) => value.startsWith(current))
        await write(context.host.stdout, `${fitting.map((value) => `${value}\n`).join('')}:4\n`)
      } else {
        const root = await tree(context, entries, resource, globalOptions, words)
        root.parse([...words])
      }
    },
  }
}

/** What stands behind `help`: a command, or a page of its own. */
const topicsOf = (entries: readonly Entry[]) => [
  ...entries.filter(({ hidden }) => !hidden).map(({ name }) => name),
  ...topics,
]

/** The words of the program in the library's form. Only the resource that is being typed is loaded. */
async function tree(
  context: Context,
  entries: readonly Entry[],
  named: Entry | undefined,
  globalOptions: readonly GlobalOption[],
  words: readonly string[],
): Promise<RootCommand> {
  const root = new RootCommand()
  const profiles = profileNames(await context.settings().catch(() => emptySettings))
  const addGlobals = (command: Pick<RootCommand, 'option'>) => {
    for (const { long, description, argChoices, required } of globalOptions) {
      const name = long?.slice(2) ?? ''
      const values = long === '--profile' ? profiles : (argChoices ?? [])
      if (required) command.option(name, description, offering(values))
      else command.option(name, description)
    }
  }
  addGlobals(root)
  for (const { name, summary, hidden } of entries) if (!hidden) addGlobals(root.command(name, summary))
  const resource = await named?.load()
  if (named && resource) addVerbs(named.name, resource)
  return root

  function addVerbs(above: string, resource: Resource) {
    for (const verb of verbsOf(resource)) {
      const command = root.command(`${above} ${verb.name}`, verb.summary)
      addGlobals(command)
      if ('run' in verb) addOptions(command, verb)
      // What stands below would be offered a second time by the library, under the name of what it stands in.
      if ('verbs' in verb && words.includes(verb.name)) addVerbs(`${above} ${verb.name}`, verb)
    }
  }
}

function addOptions(command: Pick<RootCommand, 'option'>, verb: Verb): void {
  const { options = [] } = verb
  if (!options.includes('out')) command.option('out', outDeclaration.summary, offering([]))
  for (const option of options) {
    const { summary } = describeVerbOption(option, verb)
    const long = optionWord(option).slice('--'.length)
    if (optionDeclarations[option].value === undefined) command.option(long, summary)
    else command.option(long, summary, offering([]))
  }
}

const offering = (values: readonly string[]) => (offer: (value: string, description: string) => void) => {
  for (const value of values) offer(value, '')
}

/** What `--set` can be given: the fields of the record, and after the equals sign the values seen. */
function assignments(type: RecordType | undefined, current: string): string {
  const [typed = ''] = current.split('=')
  const offers = leafFields(type?.fields ?? {}).flatMap(({ path, field }) => {
    if (!current.includes('=')) return [`${path}=\t${field.label}`]
    const values = path === typed ? knownCodes(field) : []
    return values.map((value) => `${path}=${value}\t${field.label}`)
  })
  return offered(offers, current, !current.includes('='))
}

/** What a script reads: the offers that go on as typed, with what they mean, and whether a blank may follow. */
function offered(offers: readonly string[], current: string, isOpen: boolean): string {
  const { ShellCompDirectiveNoFileComp, ShellCompDirectiveNoSpace } = ShellCompDirective
  const directive = ShellCompDirectiveNoFileComp + (isOpen ? ShellCompDirectiveNoSpace : 0)
  return `${offers
    .filter((offer) => offer.startsWith(current))
    .map((offer) => `${offer}\n`)
    .join('')}:${directive}\n`
}

/** The record that the words are about: of a candidate that of the country that is typed, else that of the UK. */
function recordTypesOf(resource: string | undefined, words: readonly string[]): RecordTypes | undefined {
  if (resource === undefined) return undefined
  const country = countries.find(({ flag }) => words.includes(flag)) ?? defaultCountry
  return recordTypesByName[resource] ?? recordTypesByName[`${resource}.${country.id}`]
}

/** How the options that name fields of an answer are typed: what stands before a name, and what may stand behind it. */
const namesInOptions = {
  '--sort': { before: /^-?/, behind: '' },
  '--columns': { before: /^(?:.*,)?/, behind: '' },
  '--where': { before: /^/, behind: '=' },
} as const

/**
 * The fields of an answer that an option can name: by the last part of their path where no other has it, and by the path once
 * something is typed; behind the equals sign of a condition the values that are known.
 */
function fieldNames({ fields }: RecordType, option: keyof typeof namesInOptions, current: string): string {
  const { before, behind } = namesInOptions[option]
  const [lead = ''] = before.exec(current) ?? []
  const typed = current.slice(lead.length)
  const leaves = leafFields(fields)
  const lastPart = (path: string) => path.slice(path.lastIndexOf('.') + 1)
  const isAlone = (name: string) => leaves.filter(({ path }) => lastPart(path) === name).length === 1
  const [name = '', value] = typed.split('=')
  const offers = leaves.flatMap(({ path, field }) => {
    const short = isAlone(lastPart(path)) ? lastPart(path) : path
    const names = new Set(typed === '' ? [short] : [short, path])
    if (behind === '' || value === undefined)
      return [...names].map((each) => `${lead}${each}${behind}\t${field.label}`)
    return [path, short].includes(name)
      ? knownCodes(field).map((code) => `${name}=${code}\t${field.label}`)
      : []
  })
  return offered(offers, current, behind !== '' && value === undefined)
}

/** So many writes of the history are offered, the newest first. */
const mostWrites = 20

type Offers = (context: Context, words: readonly string[]) => Promise<readonly string[]>

const profiles: Offers = async (context) => profileNames(await context.settings().catch(() => emptySettings))

const rules: Offers = async () => (await import('./check/rules.ts')).ruleIds

const marks: Offers = async (context) => {
  const { markNames } = await import('./changes/marks.ts')
  const { name, baseUrl = null } = await context.profile()
  return markNames(await context.directory(), { profile: name, address: baseUrl })
}

/** The ids of the last writes, or of the commands that sent them. */
const writes =
  (key: 'id' | 'run'): Offers =>
  async (context) => {
    const { readHistory } = await import('../write/history/history.ts')
    const ids = new Set<string>()
    for await (const entry of readHistory(await context.directory())) {
      ids.add(entry[key])
      if (ids.size === mostWrites) break
    }
    return [...ids]
  }

/** What is known to stand in the place of an argument, by its name. */
const inArgument: Readonly<Record<string, Offers>> = {
  name: profiles,
  operation: async () => allOperations.map(({ id }) => id),
  what: async (_, words) => {
    const isForm = words.includes('template')
    return Object.keys(recordTypesByName).filter((each) => !isForm || recordTypesByName[each]?.sent)
  },
  rule: rules,
  mark: marks,
  entry: writes('id'),
}

/** The same of the value of an option, where it is no choice of some words. */
const inOption: Partial<Record<OptionName, Offers>> = {
  only: rules,
  mark: marks,
  since: async (context, words) => (words.includes('changes') ? marks(context, words) : []),
  run: writes('run'),
}

/** What can stand at the place that is typed: these words, or a file; undefined where neither is known. */
async function valuesAt(
  context: Context,
  resource: Resource | undefined,
  words: readonly string[],
): Promise<readonly string[] | 'file' | undefined> {
  const [current = '', before = ''] = [words.at(-1), words.at(-2)]
  if (before === '-o') return outputFormats
  if (before === '--out') return 'file'
  // What cannot be read is offered nothing of: a person who presses the key has not asked for an error.
  const offer = (offers: Offers | undefined) => offers?.(context, words).catch(() => [])
  const names = Object.keys(optionDeclarations) as OptionName[]
  const name = names.find((each) => optionWord(each) === before && optionDeclarations[each].value)
  if (name) {
    const { value = '', choices } = optionDeclarations[name]
    return ['path', 'file', 'id | file'].includes(value) ? 'file' : (choices ?? offer(inOption[name]))
  }
  const found = resource && verbIn(resource, words)
  const argument = found?.verb.arguments?.[found.given]
  if (current.startsWith('-') || argument === undefined) return undefined
  return argument.name === 'file' ? 'file' : (argument.choices ?? offer(inArgument[argument.name]))
}

/** The words with the verb's own name instead of another word for it: `candidates list` for `candidates ls`. */
function withVerbNames(words: readonly string[], noun: string, resource: Resource): readonly string[] {
  const names = verbsOf(resource).map(({ name }) => name)
  const at = words.indexOf(noun) + 1
  return words.map((word, index) => {
    if (index !== at || at === words.length - 1) return word
    return names.find((name) => aliasesOf(name, names).includes(word)) ?? word
  })
}

/** The verb that is typed, and how many of its arguments stand before the current word. */
function verbIn(resource: Resource, words: readonly string[]): { verb: Verb; given: number } | undefined {
  const typed = words.slice(0, -1).filter((word) => !word.startsWith('-'))
  const verb = 'run' in resource ? resource : resource.verbs.find(({ name }) => typed.includes(name))
  if (!verb || !('run' in verb)) return undefined
  const at = verb === resource ? 0 : typed.indexOf(verb.name)
  const below = verb.verbs?.find(({ name }) => name === typed[at + 1])
  return below ? { verb: below, given: typed.length - 2 - at } : { verb, given: typed.length - 1 - at }
}
