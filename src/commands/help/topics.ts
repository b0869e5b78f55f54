/** What each topic is about. Its page is loaded when it is asked for: topic-pages.ts. */
const summaries = {
  options: 'the options of every command',
  environment: 'the environment variables',
  'exit-codes': 'what each exit code means, and what to do',
  errors: 'errors as JSON, and what each of their fields means',
  fields: 'how fields are named, set and chosen',
  formats: 'the formats of results and of files, and how to choose one',
}

export type TopicName = keyof typeof summaries

/** What `help` explains besides the commands. */
export const topics = Object.entries(summaries).map(([name, summary]) => ({ name, summary }))

export function isTopic(name: string): name is TopicName {
  return Object.hasOwn(summaries, name)
}
