import type { Content } from './layout.ts'

export interface Topic {
  readonly name: string
  readonly summary: string
  /** Loaded when it is asked for. */
  readonly load: () => Promise<Content>
}

export const topics: readonly Topic[] = [
  {
    name: 'options',
    summary: 'the options of every command',
    load: async () => (await import('./options-topic.ts')).options,
  },
  {
    name: 'environment',
    summary: 'the environment variables',
    load: async () => (await import('./environment-topic.ts')).environment,
  },
  {
    name: 'exit-codes',
    summary: 'what each exit code means, and what to do',
    load: async () => (await import('./exit-codes.ts')).exitCodePage,
  },
  {
    name: 'errors',
    summary: 'errors as JSON, and what each of their fields means',
    load: async () => (await import('./errors-topic.ts')).errors,
  },
  {
    name: 'fields',
    summary: 'how fields are named, set and chosen',
    load: async () => (await import('./fields.ts')).fields,
  },
  {
    name: 'formats',
    summary: 'the formats of results and of files, and how to choose one',
    load: async () => (await import('./formats.ts')).formats,
  },
]
