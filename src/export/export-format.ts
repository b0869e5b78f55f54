/** The forms that an export can have. */
export const exportFormats = ['csv', 'ndjson', 'json', 'xlsx'] as const

export type ExportFormat = (typeof exportFormats)[number]
