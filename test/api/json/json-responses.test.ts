// @module-tag tables

import { describe, test } from 'vitest'
import { isOpen, isRead, isRefused, isSettled } from './json-responses.ts'
import { accepted, rejected } from './json-texts.ts'

const isEmpty = ([, text]: [string, string | Uint8Array]) => String(text).trim() === ''
const texts = Object.entries(rejected)

describe('an answer that is no JSON', () => {
  test.each(texts)('is refused as one: %s', (_, text) => isRefused(text))

  test.each(texts.filter(isEmpty))('ends a write with a yes or in doubt: %s', (_, text) => isSettled(text))

  test.each(texts.filter((each) => !isEmpty(each)))(
    'confirms no write, which is looked for where it can be: %s',
    (_, text) => isOpen(text),
  )
})

describe('an answer that is JSON', () => {
  test.each(Object.entries(accepted))('is an answer, or nothing of it is: %s', (_, text) => isRead(text))

  test.each(Object.entries(accepted))('ends a write with a yes or in doubt: %s', (_, text) => isSettled(text))
})
