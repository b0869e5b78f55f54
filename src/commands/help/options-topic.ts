import { outOption } from '../../cli/register.ts'
import type { Content, Item } from './layout.ts'

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
    [outOption.flags, `${outOption.summary}; some commands have an --out of their own`],
    ['-h, --help', 'what a command does, and how it is typed'],
  ],
]
