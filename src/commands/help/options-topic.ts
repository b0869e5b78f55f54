import { describeOption } from '../../cli/options.ts'
import { outDeclaration } from '../../context/global-options.ts'
import type { Content, Item } from './layout.ts'

const out = describeOption('out', outDeclaration)

/** `help options`: what can be typed with every command. */
export const options: Content = (globalOptions) => [
  'Options of every command. They can stand before the command or after it.',
  [
    ...globalOptions.map(
      ({ flags, description, argChoices }): Item => [
        flags,
        argChoices ? `${description}: ${argChoices.join(', ')}` : description,
      ],
    ),
    [out.flags, `${out.summary}; some commands have an --out of their own`],
    ['-h, --help', 'what a command does, and how it is typed'],
  ],
]
