/** What `help` explains besides the commands. The pages are loaded when they are asked for: topic-pages.ts. */
export const topics = ['options', 'environment', 'exit-codes', 'errors', 'fields', 'formats'] as const

export type TopicName = (typeof topics)[number]

export function isTopic(name: string): name is TopicName {
  return (topics as readonly string[]).includes(name)
}
