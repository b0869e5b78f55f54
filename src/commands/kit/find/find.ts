import type { FindVerb } from '../declare/resource-verbs.ts'
import { variantOptions } from '../declare/target.ts'
import type { Verb } from '../declare/verb.ts'

/** `find <text>`: the records of all countries that a text is in. */
export function find(verb: FindVerb): Verb {
  const { list, summary, examples } = verb
  return {
    name: 'find',
    summary,
    examples,
    arguments: [
      {
        name: 'text',
        summary: 'a part of a name, reference or e-mail, or the beginning of an id',
        variadic: true,
      },
    ],
    options: variantOptions(list),
    run: async (context, { words = [], options }) =>
      (await import('./run-find.ts')).runFind(context, verb, words.join(' '), options),
  }
}
