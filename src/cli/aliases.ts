/**
 * Verbs that people know from other tools, beside ours; each group has one meaning. They work, and are no mere hints:
 * an error that knows what was meant only costs a second try.
 */
const groups: readonly (readonly string[])[] = [
  ['list', 'ls'],
  ['get', 'show', 'view'],
  ['find', 'search'],
  ['create', 'new', 'add'],
  ['update', 'edit'],
  ['delete', 'remove', 'rm'],
]

/** The other words for a verb, without those that are verbs of the same noun. */
export function aliasesOf(verb: string, verbs: readonly string[]): readonly string[] {
  const group = groups.find((words) => words.includes(verb)) ?? []
  const isFirst = verbs.find((each) => group.includes(each)) === verb
  return isFirst ? group.filter((word) => !verbs.includes(word)) : []
}
