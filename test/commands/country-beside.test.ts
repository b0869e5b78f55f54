import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../payroll.ts'

const run = (words: string, home = freshHome()) => payroll(words.split(' '), { home })

describe('the country of a kind of record', () => {
  test.each([
    ['schema candidates --ireland', 'schema candidates.ireland'],
    ['schema candidates --uk', 'schema candidates.uk'],
    ['schema candidates.uk --uk', 'schema candidates.uk'],
    ['template candidates --ireland -o csv', 'template candidates.ireland -o csv'],
    ['explain candidates --ireland', 'explain candidates.ireland'],
    ['explain candidates.ppsNumber --ireland', 'explain candidates.ireland.ppsNumber'],
    ['--profile sandbox candidates.ireland list', '--profile sandbox candidates list --ireland'],
    ['--profile sandbox candidates.uk export -o json', '--profile sandbox candidates export --uk -o json'],
    ['candidates.ireland import none.csv', 'candidates import none.csv --ireland'],
  ])('is typed beside it or in its name: %s is %s', async (one, other) => {
    const home = freshHome()
    await run('sandbox seed', home)
    const [first, second] = [await run(one, home), await run(other, home)]
    expect([first.code, first.out]).toEqual([second.code, second.out])
    expect(first.err.replace(/See .*/, '')).toBe(second.err.replace(/See .*/, ''))
  })

  test.each([
    ['schema candidates.ireland --uk', 'candidates.ireland and --uk are two countries.'],
    ['template candidates.uk --ireland', 'candidates.uk and --ireland are two countries.'],
    ['explain candidates.ireland.ppsNumber --uk', 'are two countries.'],
    ['schema candidates --uk --ireland', 'cannot be combined.'],
    ['--profile sandbox candidates.ireland list --uk', 'cannot be combined.'],
    ['template payment-rates --ireland', '--ireland has no effect on payment-rates'],
    ['explain --ireland', '--ireland has no effect'],
  ])('is exit 2 where it contradicts itself or has no effect: %s', async (words, says) => {
    const { code, out, err } = await run(words)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(says)
  })
})
