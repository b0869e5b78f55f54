import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { onTestFinished } from 'vitest'
import { type Json, type JsonObject, valueAt } from '../../src/files/json/path.ts'
import type { Field } from '../../src/model/fields/field.ts'
import { sections } from '../../src/model/fields/field.ts'
import { type Leaf, leafFields } from '../../src/model/fields/field-tree.ts'
import type { RecordType } from '../../src/model/records/record-type.ts'
import { candidateIreland } from '../../src/model/resources/ireland-candidate.ts'
import { paymentRate } from '../../src/model/resources/payment-rate.ts'
import { timesheet } from '../../src/model/resources/timesheet.ts'
import { candidate } from '../../src/model/resources/uk-candidate.ts'
import type { PromptHost } from '../../src/prompts/terminal/prompt.ts'
import { styleFor } from '../../src/render/text/style.ts'
import { atTerminal, keys, type Terminal } from '../payroll.ts'

export type Replies = Readonly<Record<string, string | readonly string[]>>

/** Runs a command on a terminal and answers its form until it ends: by a function, or Enter for all that these do not name. */
export async function filled(
  argv: readonly string[],
  replies: Replies | ((asked: Asked) => string | undefined),
  setting?: Parameters<typeof atTerminal>[1],
) {
  const terminal = atTerminal(argv, setting)
  await answerForm(terminal, typeof replies === 'function' ? replies : enterBut(replies))
  const run = await terminal.ended
  return { ...run, screen: terminal.screen(), body: () => run.json().body }
}

/** Runs a command on a terminal up to a question of its form, with Enter for all that comes before. It is left at the end. */
export async function standingAt(
  question: string,
  argv: readonly string[],
  { replies = {}, ...setting }: { readonly replies?: Replies } & Parameters<typeof atTerminal>[1] = {},
) {
  const terminal = atTerminal(argv, setting)
  const reply = enterBut(replies)
  await answerForm(terminal, (asked) => (asked.text.startsWith(question) ? undefined : reply(asked)))
  const leave = async () => {
    await terminal.type('', keys.ctrlC)
    return terminal.ended
  }
  onTestFinished(async () => void (await leave()))
  return { ...terminal, leave }
}

/** Enter for whatever is asked, but for the questions named by what they begin with: one reply, or one after another. */
export function enterBut(replies: Replies): (asked: Asked) => string {
  const left = new Map(Object.entries(replies))
  return ({ text }) => {
    const name = [...left.keys()].find((begin) => text.startsWith(begin))
    const reply = name === undefined ? '' : left.get(name)
    if (name === undefined || !Array.isArray(reply)) return String(reply)
    left.set(name, reply.slice(1))
    return reply[0] ?? ''
  }
}

/** The same, but what Enter would fill in by itself is left empty too: the record has these answers and no others. */
export function emptyBut(replies: Replies): (asked: Asked) => string {
  const reply = enterBut(replies)
  const isNamed = (text: string) => Object.keys(replies).some((begin) => text.startsWith(begin))
  return (asked) => {
    const { text, choices } = asked
    const isPreset = (choices.length > 0 && choices[0] !== 'leave empty') || /\[.*\]/.test(text)
    return !isMenu(asked) && isPreset && !isNamed(text) ? '-' : reply(asked)
  }
}

const isMenu = ({ text, isDoubt }: Asked) => isDoubt || /\?$|^Which part\?/.test(text)

/** The same, and behind the last of these answers the form is left for its review. */
export function onlyThese(replies: Replies): (asked: Asked) => string {
  const reply = emptyBut(replies)
  const ofFields = Object.entries(replies).filter(([name]) => isOfField(name))
  const left = new Map(ofFields.map(([name, all]) => [name, [all].flat().length]))
  return (asked) => {
    const name = Object.keys(replies).find((begin) => asked.text.startsWith(begin))
    if (name === undefined && left.size === 0 && !isMenu(asked)) return '>>'
    const times = left.get(name ?? '') ?? 0
    if (times > 1) left.set(name ?? '', times - 1)
    else left.delete(name ?? '')
    return reply(asked)
  }
}

/** What is on the screen for a person to answer. */
export interface Asked {
  /** The heading that it stands under. */
  readonly part: string
  /** The question, with what stands behind its label; of a doubt, the remark. */
  readonly text: string
  readonly isDoubt: boolean
  /** What there is to choose from; nothing where one types. */
  readonly choices: readonly string[]
}

/** A terminal without a command, whose input a test can take away, and what a prompt is handed of it. */
export function bareTerminal(columns = 100) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin })
  // What is piped into a terminal does not close it.
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns, end: () => stderr })
  const shown: string[] = []
  stderr.on('data', (chunk) => shown.push(String(chunk)))
  const host: PromptHost = {
    stdin,
    stderr,
    style: styleFor(false),
    isPlain: false,
    signal: new AbortController().signal,
    interrupted: new Promise(() => {}),
  }
  return { host, stdin, screen: () => stripVTControlCharacters(shown.join('')) }
}

/** Nothing is asked so often of a test that knows how to answer. */
const mostTimes = 50

/** Answers whatever is asked, one screen at a time, until the run ends or `reply` has nothing more to say. */
export async function answerForm(
  terminal: Terminal,
  reply: (asked: Asked) => string | undefined,
): Promise<void> {
  const run = { over: false }
  terminal.ended.then(() => {
    run.over = true
  })
  const times = new Map<string, number>()
  for (let from = 0; ; ) {
    const asked = await nextAsked(terminal, from, run)
    const typed = asked && reply(asked)
    if (!asked || typed === undefined) return
    const count = (times.get(asked.text) ?? 0) + 1
    times.set(asked.text, count)
    if (count > mostTimes) throw new Error(`asked again and again: ${asked.text}, and answered ${typed}`)
    from = terminal.screen().length
    await terminal.type('', `${typed}\r`)
  }
}

/** What stays of a question that was answered, left by a move, or of a doubt that was decided. */
const answered = /✔ |– |· [^\n]* (?:<|>>?|\?|-|=)\n|Kept\sas\styped\.|Took [^\n]*\.\n|! [^\n]+\n+(?=[?!] )/g

/** Waits for what is asked once everything that was on the screen at `from` has been answered. */
async function nextAsked(
  terminal: Terminal,
  from: number,
  run: { readonly over: boolean },
): Promise<Asked | undefined> {
  const deadline = Date.now() + 40_000
  while (!run.over) {
    const screen = terminal.screen()
    const done = [...screen.slice(from).matchAll(answered)].at(-1)
    const open = from === 0 || done ? screen.slice(from + (done?.index ?? 0)) : ''
    // A doubt that is open has choices; one that was answered has none.
    const asked = /(?:^|\n)(\?) ([^\n]+)|\n(!) ([^\n]+)\n(?:[^❯?!\n][^❯\n]*\n)?❯/.exec(open)
    if (asked) {
      const choices = /\n❯[\s\S]*/.exec(open.slice(asked.index))?.[0].matchAll(/\n[❯ ] ([^\n]+)/g) ?? []
      return {
        get part() {
          return partOf(screen)
        },
        text: (asked[2] ?? asked[4] ?? '').trimEnd(),
        isDoubt: asked[3] !== undefined,
        choices: [...choices].map(([, choice = '']) => choice.trim()),
      }
    }
    if (Date.now() > deadline) throw new Error(`nothing is asked:\n${screen.slice(from)}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return undefined
}

const titles: readonly string[] = Object.values(sections)

function partOf(screen: string): string {
  const lines = `\n${screen}\n`
  const places = titles.map((title) => ({ title, at: lines.lastIndexOf(`\n${title}\n`) }))
  return places.reduce((last, each) => (each.at > last.at ? each : last), { title: '', at: -1 }).title
}

/** The fields that a person is asked for: a program fills in the others. */
export const askedFields = (type: RecordType) => leafFields(type.fields).filter(({ field }) => !field.machine)

/**
 * Gives the answers that make `record`, in whatever order they are asked for: all of the parts, then by its name each
 * field that other answers rule out, then the choice of the menu. Enter keeps what was given already, and a doubted
 * value is kept as typed.
 */
export function answersOf(
  type: RecordType,
  record: JsonObject,
  last: 'Send' | 'Stop',
): (asked: Asked) => string {
  const left = titles.filter((title) => partsOf(type).has(title))
  const given = new Set<string>()
  const missing = () => askedFields(type).find(({ path }) => !given.has(path))
  let byName: Leaf | undefined
  return ({ part, text, isDoubt }) => {
    if (isDoubt) return 'Keep'
    if (text.startsWith('Page ')) return ''
    if (text === 'What next?') return left.length === 0 && !missing() ? last : 'Edit'
    if (text.startsWith('Which part?')) {
      const title = left.shift()
      byName = title === undefined ? missing() : undefined
      return title ?? byName?.path ?? 'None'
    }
    const item = /^([^:]+) (\d+): /.exec(text)
    const { path, field } = byName ?? fieldAsked(type, part, text, item?.[1])
    const value = valueAt(record, path.split('.'))
    if (field.item && item) return itemAnswer(field.item, (value as JsonObject[])[Number(item[2]) - 1], text)
    if (field.item) {
      given.add(path)
      return nextItem(value as Json[], text)
    }
    if (given.has(path) && !/line ([2-9])/.test(text)) return ''
    given.add(path)
    return typedFor(field, value, text)
  }
}

/** One after another is added until they are as many as wanted. */
function nextItem(value: readonly Json[], text: string): string {
  const there = Number(/\((\d+) there\)/.exec(text)?.[1])
  return there < value.length ? 'add' : value.length === 0 ? 'there are none' : 'go on'
}

function itemAnswer(item: Field, value: JsonObject = {}, text: string): string {
  const asked = Object.entries(item.fields ?? item.promptFields ?? {}).find(([, { label }]) =>
    text.includes(`: ${label}`),
  )
  return asked && value[asked[0]] !== undefined ? typedFor(asked[1], value[asked[0]], text) : ''
}

const labels = [candidate, candidateIreland, paymentRate, timesheet].flatMap((type) =>
  leafFields(type.fields).map(({ field }) => field.label),
)

/** Whether a question is of a field, and not of a menu or a doubt. */
const isOfField = (name: string) =>
  /^Rate \d/.test(name) || labels.some((label) => name.startsWith(label) || label.startsWith(name))

/** The labels that are asked for under each heading. */
export function partsOf(type: RecordType): Map<string, string[]> {
  const parts = new Map<string, string[]>()
  for (const { field } of askedFields(type)) {
    const title = field.section ? sections[field.section] : ''
    parts.set(title, [...(parts.get(title) ?? []), field.label])
  }
  return parts
}

function fieldAsked(type: RecordType, part: string, text: string, item?: string) {
  const isAsked = ({ label, item: inner }: Field) =>
    item === undefined ? text.startsWith(label) : inner?.label === item
  const [best] = askedFields(type)
    .filter(({ field }) => field.section && sections[field.section] === part && isAsked(field))
    .sort((a, b) => b.field.label.length - a.field.label.length)
  if (!best) throw new Error(`no field is called ${text} under ${part}`)
  return best
}

/** What a person types, or chooses, for a value. */
function typedFor(field: Field, value: Json, text: string): string {
  if (field.type === 'boolean') return value ? 'yes' : 'no'
  if (field.type === 'lines') return (value as string[])[Number(/line (\d+)/.exec(text)?.[1]) - 1] ?? ''
  if (field.type === 'date' || field.type === 'timestamp') {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(String(value)) ?? []
    return `${Number(day)}/${Number(month)}/${year}`
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
