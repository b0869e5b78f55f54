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

/** Other words for a topic. A number is an exit code. */
const otherTopics: Readonly<Record<string, TopicName>> = {
  leaver: 'leavers',
  leaving: 'leavers',
  leave: 'leavers',
  left: 'leavers',
  end: 'leavers',
  xlsx: 'excel',
  csv: 'excel',
  spreadsheet: 'excel',
  workbook: 'excel',
  schedule: 'cron',
  daily: 'cron',
  nightly: 'cron',
  script: 'cron',
  scripts: 'cron',
  env: 'environment',
  dates: 'fields',
}

/** The topic that a word means; undefined where it means none. */
export function findTopic(word: string): TopicName | undefined {
  if (isTopic(word)) return word
  if (/^\d{1,3}$/.test(word)) return 'exit-codes'
  return Object.hasOwn(otherTopics, word) ? otherTopics[word] : undefined
}

/** Whether `payroll help` has a topic of this name. */
export function isTopic(name: string): name is TopicName {
  return (topics as readonly string[]).includes(name)
}
