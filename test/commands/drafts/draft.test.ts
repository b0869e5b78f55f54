import { describe, expect, test } from 'vitest'
import { type Draft, draftText, parseDraft } from '../../../src/commands/kit/draft.ts'

const draft: Draft = {
  id: '3f2a1b2c',
  operation: 'documents.create',
  parameters: { employeeId: 'e1' },
  profile: 'production',
  origin: 'https://payroll.example.com',
  changed: '2026-11-03T14:05:00.000Z',
  tool: '1.2.3',
  sent: '2026-11-03T14:06:00.000Z',
  before: { note: 'as it was' },
  answers: { name: 'passport.pdf', 'rates[0].units': '37.5', size: 3, content: null, description: undefined },
}

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const written = (): any => JSON.parse(draftText(draft))

describe('a draft', () => {
  test('comes back from its file as it was, an emptied answer and a null among the answers', () => {
    const read = parseDraft(draft.id, new TextEncoder().encode(draftText(draft)))
    expect(read).toStrictEqual(draft)
  })

  test.each(['operation', 'parameters', 'profile', 'origin', 'changed', 'tool', 'before', 'answers'])(
    'a draft without its %s is damaged',
    (name) => {
      const { [name]: _, ...others } = written()
      expect(parseDraft(draft.id, bytes(others))).toBe('a part of it is missing')
    },
  )

  test.each([
    ['a time that is none', { changed: 'yesterday' }],
    ['a sending that has no time', { sent: true }],
    ['an identifier that is no text', { parameters: { employeeId: 3 } }],
    ['an answer without a path', { answers: [[]] }],
    ['an answer to what is no path', { answers: [['__proto__.x', 1]] }],
    ['an answer of three parts', { answers: [['name', 'a', 'b']] }],
  ])('a draft with %s is damaged', (_, part) => {
    expect(parseDraft(draft.id, bytes({ ...written(), ...part }))).toBe('a part of it is missing')
  })

  test('a draft of another form is named with the version that wrote it, unless that is no version', () => {
    const of = (tool: unknown) => parseDraft(draft.id, bytes({ ...written(), format: 'b', tool }))
    expect(of('9.9.9')).toBe('another version of payroll wrote it (9.9.9)')
    expect(of('\u001B[2J')).toBe('another version of payroll wrote it')
  })
})
