export type VariantId = 'uk' | 'ireland'

/** One of the countries in which people are paid, each with a candidate of its own form. */
export interface Variant {
  readonly id: VariantId
  /** How a person chooses it. */
  readonly flag: `--${VariantId}`
  /** As the help names it. */
  readonly displayName: string
  /** ISO 3166-1. */
  readonly country: string
}

/** "`--ireland` chooses the variant (`--uk` is the default)". */
export const defaultVariant: Variant = {
  id: 'uk',
  flag: '--uk',
  displayName: 'the UK variant',
  country: 'GB',
}

/** Those that have to be asked for. */
export const otherVariants: readonly Variant[] = [
  {
    id: 'ireland',
    flag: '--ireland',
    displayName: 'the Irish variant',
    country: 'IE',
  },
]

export const variants: readonly Variant[] = [defaultVariant, ...otherVariants]
