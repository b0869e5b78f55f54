/** The pages of help that are about no command. topic-pages.ts has them, and is loaded on demand. */
export const topics = [
  'options',
  'environment',
  'exit-codes',
  'errors',
  'fields',
  'formats',
  'excel',
  'leavers',
  'cron',
] as const

export type TopicName = (typeof topics)[number]

/** Whether `payroll help` has a topic of this name. */
export function isTopic(name: string): name is TopicName {
  return (topics as readonly string[]).includes(name)
}
