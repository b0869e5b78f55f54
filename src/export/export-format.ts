/** The file formats of an export. */
export const exportFormats = ['csv', 'ndjson', 'json', 'xlsx'] as const

export type ExportFormat = (typeof exportFormats)[number]
