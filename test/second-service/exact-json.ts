/** An id that the service answers as a bare number, however long. It is kept as text so that no digit is lost. */
export const bareNumber = (digits: string) => `#${digits}#`

/** JSON in which every `bareNumber` is written without quotes. */
export function write(value: unknown): string {
  return JSON.stringify(value).replace(/"#(\d+)#"/g, '$1')
}

/** Reads JSON. A number of 16 digits or more becomes a `bareNumber`, so that two neighbours stay two. */
export function read(text: string): any {
  return JSON.parse(text.replace(/([:[,]\s*)(\d{16,})(?=\s*[,}\]])/g, '$1"#$2#"'))
}

/** An id as text, whether it came as a number or as text. */
export const plain = (id: unknown) => String(id).replace(/^#(\d+)#$/, '$1')
