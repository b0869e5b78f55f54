/**
 * right: exit 0, what was asked is held and nothing else moved, and what is printed is true.
 * refused: another exit code, and nothing was changed.
 * uncertain: it says that it does not know what became of a request that it sent.
 * told: not what was asked for, and its own words say truly what it was.
 * wrong: it says what is not so.
 */
export interface Judgement {
  readonly verdict: 'right' | 'refused' | 'uncertain' | 'told' | 'wrong'
  readonly why: string
}
