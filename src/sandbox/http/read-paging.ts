import { limits } from '../../api/contract/operations/limits.ts'
import type { Issue } from '../../errors.ts'
import { refusal } from './refusal.ts'

export interface Paging {
  /** From 1. */
  readonly page: number
  readonly size: number
}

/**
 * "`page`: default 1. `size`: default 20; maximum 100." assumed: anything else than a whole number in that range is
 * 400 ("Behaviour when size exceeds 100 or page is out of range …: not shown").
 */
export function readPaging(query: { page?: string | undefined; size?: string | undefined }): Paging {
  const page = wholeNumber(query.page, limits.defaultPage)
  const size = wholeNumber(query.size, limits.defaultSize)
  const wrong: Issue[] = []
  if (page === undefined || page < 1) wrong.push({ path: 'page', message: 'must be a whole number from 1' })
  if (size === undefined || size < 1 || size > limits.maximumSize) {
    wrong.push({ path: 'size', message: `must be a whole number from 1 to ${limits.maximumSize}` })
  }
  if (page === undefined || size === undefined || wrong.length > 0) {
    throw refusal(400, 'The query cannot be used', wrong)
  }
  return { page, size }
}

function wholeNumber(text: string | undefined, absent: number): number | undefined {
  if (text === undefined) return absent
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}
