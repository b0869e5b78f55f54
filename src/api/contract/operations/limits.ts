/** "`page`: default 1. `size`: default 20; maximum 100." (Limits) */
export const limits = {
  defaultPage: 1,
  defaultSize: 20,
  maximumSize: 100,
} as const
