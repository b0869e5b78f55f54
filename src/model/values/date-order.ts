/** The orders of day, month and year in a date of numbers, as --date-format takes them. */
export const dateOrders = ['dmy', 'mdy', 'ymd'] as const

/** The order of day, month and year in a date of numbers. */
export type DateOrder = (typeof dateOrders)[number]
