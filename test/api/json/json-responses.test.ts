import { describe, test } from 'vitest'
import { isApplied, isOpen, isRead, isRefused, isSettled } from './json-responses.ts'
import { accepted, rejected } from './json-texts.ts'

/** Whether a text began as JSON, so that nothing but its way can have spoilt it. */
const wasJson = ([, text]: [string, string | Uint8Array]) => /^\s*[[{]/.test(String(text))
const isEmpty = ([, text]: [string, string | Uint8Array]) => String(text).trim() === ''
const texts = Object.entries(rejected)

describe('an answer that is no JSON', () => {
  test.each(texts)('is refused as one: %s', (_, text) => isRefused(text))

  test.each(texts.filter(wasJson))('cannot undo a write: %s', (_, text) => isApplied(text))

  test.each(texts.filter(isEmpty))('ends a write with a yes or in doubt: %s', (_, text) => isSettled(text))

  test.each(texts.filter((each) => !wasJson(each) && !isEmpty(each)))(
    'leaves a write open where it is a page or words: %s',
    (_, text) => isOpen(text),
  )
})

describe('an answer that is JSON', () => {
  test.each(Object.entries(accepted))('is an answer, or nothing of it is: %s', (_, text) => isRead(text))

  test.each(Object.entries(accepted))('ends a write with a yes or in doubt: %s', (_, text) => isSettled(text))
})
