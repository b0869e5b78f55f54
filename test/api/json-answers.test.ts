import { describe, expect, test } from 'vitest'
import { attempt } from './attempt.ts'
import { isApplied, isRead, isRefused } from './json-answers.ts'
import { accepted, rejected } from './json-texts.ts'

const isPage = (text: string | Uint8Array) => /^\s*</.test(String(text))

describe('an answer that is no JSON', () => {
  test.each(Object.entries(rejected))('is refused as one: %s', (_, text) => isRefused(text))

  test.each(Object.entries(rejected).filter(([, text]) => !isPage(text)))(
    'cannot undo a write: %s',
    (_, text) => isApplied(text),
  )

  test.each(Object.entries(rejected).filter(([, text]) => isPage(text)))(
    'leaves a write open where it is a page: %s',
    async (_, text) => {
      const { run } = await attempt('post', (response) => void response.writeHead(201).end(text))
      expect([run.code, run.out, run.error().outcome]).toEqual([8, '', 'unknown'])
    },
  )
})

describe('an answer that is JSON', () => {
  test.each(Object.entries(accepted))('is an answer, or nothing of it is: %s', (_, text) => isRead(text))

  test.each(Object.entries(accepted))('cannot undo a write: %s', (_, text) => isApplied(text))
})
