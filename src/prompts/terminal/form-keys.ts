/** A move away from a question. */
export type NavigationKey = 'back' | 'on' | 'review'

/** What a person types instead of an answer. No value of a field is one of these. */
export type FormKey = NavigationKey | 'explain' | 'empty' | 'restore'

export const formKeys: Readonly<Record<string, FormKey>> = {
  '<': 'back',
  '>': 'on',
  '>>': 'review',
  '?': 'explain',
  '-': 'empty',
  '=': 'restore',
}

export const moveWords: readonly string[] = Object.keys(formKeys)

/** The move that was typed; undefined for an answer. */
export function keyOfInput(typed: string): FormKey | undefined {
  const word = typed.trim()
  return Object.hasOwn(formKeys, word) ? formKeys[word] : undefined
}

/** What the form says of them before the first question. */
export function keyHelp(isUpdate: boolean): string {
  const restore = isUpdate ? ' = puts back what the service holds.' : ''
  return `Enter skips a question, or keeps its answer. < goes back, > to the next section, >> to the review; ? explains; - empties an answer.${restore}`
}

export const isNavigation = (move: FormKey): move is NavigationKey =>
  move === 'back' || move === 'on' || move === 'review'
