import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Draft, readDraft, writeDraft } from '../../../src/commands/kit/create/draft.ts'
import { freshHome } from '../../payroll.ts'

const draft: Draft = {
  id: '3f2a1b2c',
  operation: 'timesheets.create',
  profile: 'production',
  origin: 'https://payroll.example.com',
  changed: '2026-11-03T14:05:00.000Z',
  tool: '1.2.3',
  sent: '2026-11-03T14:06:00.000Z',
  before: { note: 'as it was' },
  answers: { name: 'passport.pdf', 'rates[0].units': '37.5', size: 3, content: null, description: undefined },
}

/** A draft as it lies on the disk, with some of its parts changed, read again. */
async function readWith(part: object) {
  const home = freshHome()
  await writeDraft(home, draft)
  const path = join(home, 'drafts', `${draft.id}.json`)
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...part }))
  return readDraft(home, draft.id)
}

describe('a draft', () => {
  test('comes back from its file as it was, an emptied answer and a null among the answers', async () => {
    expect(await readWith({})).toStrictEqual(draft)
  })

  test.each(['operation', 'profile', 'origin', 'changed', 'tool', 'before', 'answers'])(
    'without its %s is damaged',
    async (name) => {
      await expect(readWith({ [name]: undefined })).rejects.toThrow('it is not a draft')
    },
  )

  test.each([
    ['a time that is none', { changed: 'yesterday' }],
    ['a sending that has no time', { sent: true }],
    ['an answer without a path', { answers: [[]] }],
    ['an answer to what is no path', { answers: [['__proto__.x', 1]] }],
    ['an answer of three parts', { answers: [['name', 'a', 'b']] }],
  ])('with %s is damaged', async (_, part) => {
    await expect(readWith(part)).rejects.toThrow('it is not a draft')
  })
})
