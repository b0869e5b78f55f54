import type { Entry } from '../kit/declare/verb.ts'
import { globalOptionsHint } from './help-pages.ts'
import { commands, type Item, list, page, paragraph, section } from './layout.ts'
import { topics } from './topics.ts'

const about =
  'UK and Irish payroll at the command line: people, rates, timesheets, payslips and documents. Results go to standard output, as JSON in a pipe or a file; messages go to standard error.'

/** The help of `payroll` alone: the commands by what a person wants to do. */
export function rootPage(entries: readonly Entry[], width: number): string {
  const groups = [...new Set(entries.map(({ group }) => group))]
  const sections = groups.map((group) => {
    const items = entries
      .filter((entry) => entry.group === group)
      .map(({ name, summary }): Item => [name, summary])
    return section(group, list(items, width))
  })
  const names = topics.map(({ name }) => name)
  return page([
    paragraph('Usage: payroll <command> <verb> [options]', width),
    paragraph(about, width),
    ...sections,
    section('Examples', commands(examples, width)),
    paragraph(`More: payroll help <command>, or payroll help ${names.join(', ')}.`, width),
    paragraph(globalOptionsHint, width),
  ])
}

/** The first works at once: at a terminal the sandbox is used until a service is set up. */
const examples = [
  'payroll candidates create --ireland             # try the form',
  'payroll profiles set production --base-url …    # the address of your service',
  'payroll auth login --profile production         # its key',
]
