/** A move away from a question. */
export type Away = 'back' | 'on' | 'review'

/** What a person types instead of an answer. No value of a field is one of these. */
export type Move = Away | 'explain' | 'empty' | 'restore'

export const moves: Readonly<Record<string, Move>> = {
  '<': 'back',
  '>': 'on',
  '>>': 'review',
  '?': 'explain',
  '-': 'empty',
  '=': 'restore',
}

export const moveWords: readonly string[] = Object.keys(moves)

/** The move that was typed; undefined for an answer. */
export function moveOf(typed: string): Move | undefined {
  const word = typed.trim()
  return Object.hasOwn(moves, word) ? moves[word] : undefined
}

/** What the form says of them before the first question. */
export function manual(isUpdate: boolean): string {
  const restore = isUpdate ? ' = puts back what the service holds.' : ''
  return `Enter skips a question, or keeps its answer. < goes back, > to the next section, >> to the review; ? explains; - empties an answer.${restore}`
}

export const isAway = (move: Move): move is Away => move === 'back' || move === 'on' || move === 'review'
