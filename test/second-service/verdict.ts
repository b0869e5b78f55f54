/**
 * right: exit 0, the service has what was asked and nothing else changed, and the output is true.
 * refused: another exit code, and nothing was changed.
 * uncertain: it says that it does not know whether a request was applied.
 * told: it did something else than asked, and says truthfully what.
 * wrong: it says something untrue.
 */
export interface Judgement {
  readonly verdict: 'right' | 'refused' | 'uncertain' | 'told' | 'wrong'
  readonly why: string
}
