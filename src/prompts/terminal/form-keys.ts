/** A key that leaves the question. */
export type NavigationKey = 'back' | 'on' | 'review'

/** What a person types instead of an answer. No field has one of these as its value. */
export type FormKey = NavigationKey | 'explain' | 'empty' | 'restore'

const formKeys: Readonly<Record<string, FormKey>> = {
  '<': 'back',
  '>': 'on',
  '>>': 'review',
  '?': 'explain',
  '-': 'empty',
  '=': 'restore',
}

export const moveWords: readonly string[] = Object.keys(formKeys)

/** What each key replies, for a question with choices. */
export const repliesByKey: Readonly<Record<string, { readonly move: FormKey }>> = Object.fromEntries(
  Object.entries(formKeys).map(([typed, move]) => [typed, { move }]),
)

/** The key that was typed; undefined for an answer. */
export function keyOfInput(typed: string): FormKey | undefined {
  const word = typed.trim()
  return Object.hasOwn(formKeys, word) ? formKeys[word] : undefined
}

/** The explanation of the keys, shown before the first question. */
export function keyHelp(isUpdate: boolean, isSensitive: boolean): string {
  const enter = isUpdate
    ? 'Enter keeps what stands in [ ].'
    : 'Enter takes what stands in [ ] or at ❯, or skips.'
  const restore = isUpdate ? ' = puts back what the service holds.' : ''
  const hide = isSensitive ? ' Ctrl-T hides numbers and birth dates, or shows them.' : ''
  return `${enter} < goes back, > to the next section, >> to the review; ? explains; - empties an answer.${restore}${hide}`
}

export const isNavigation = (move: FormKey): move is NavigationKey =>
  move === 'back' || move === 'on' || move === 'review'
