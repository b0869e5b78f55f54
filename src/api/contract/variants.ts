export type VariantId = 'uk' | 'ireland'

/** A country in which people are paid; each has its own candidate fields. */
export interface Variant {
  readonly id: VariantId
  /** The option that chooses it. */
  readonly flag: `--${VariantId}`
  /** For the help. */
  readonly displayName: string
  /** The country as a person names it. */
  readonly place: string
  /** ISO 3166-1. */
  readonly country: string
}

/** "`--ireland` chooses the variant (`--uk` is the default)". */
export const defaultVariant: Variant = {
  id: 'uk',
  flag: '--uk',
  displayName: 'the UK variant',
  place: 'UK',
  country: 'GB',
}

/** The variants that need a flag. */
export const otherVariants: readonly Variant[] = [
  {
    id: 'ireland',
    flag: '--ireland',
    displayName: 'the Irish variant',
    place: 'Ireland',
    country: 'IE',
  },
]

export const variants: readonly Variant[] = [defaultVariant, ...otherVariants]
