import { describe, expect, test } from 'vitest'
import { Failure, invalidInput } from '../../src/errors.ts'
import { failureJson, failureText } from '../../src/render/failure-text.ts'
import { styleFor } from '../../src/render/text/style.ts'

const plain = styleFor(false)
const issue = (path: string, message: string) => ({ path, message })

describe('a failure for a person', () => {
  test('is what happened, each field, and what to do next', () => {
    const issues = [issue('generalSetting.DOB', 'expected a date'), issue('', 'something about the whole')]
    const failure = invalidInput('2 fields cannot be sent as they are.', issues, 'Fix them and run it again.')
    expect(failureText(failure, plain)).toBe(`Error: 2 fields cannot be sent as they are.
  generalSetting.DOB: expected a date
  something about the whole
Fix them and run it again.
`)
  })

  test('is one line when there is no more to say', () => {
    const failure = new Failure('temporary', 'The network is down.')
    expect(failureText(failure, plain)).toBe('Error: The network is down.\n')
  })

  test.each([
    [20, 21, undefined],
    [21, 22, '  … and 1 more'],
    [500, 22, '  … and 480 more'],
  ])('lists %i different issues in %i lines', (count, lines, last) => {
    const issues = Array.from({ length: count }, (_, at) => issue(`f${at + 1}`, `wrong ${at + 1}`))
    const text = failureText(invalidInput('Many.', issues), plain).trimEnd().split('\n')
    expect(text).toHaveLength(lines)
    expect(text[20]).toBe('  f20: wrong 20')
    expect(text[21]).toBe(last)
  })

  test('says once what is wrong with many fields, and counts them', () => {
    const many = Array.from({ length: 400 }, (_, at) => issue(`row ${at + 2}`, 'not a country'))
    const issues = [issue('row 1', 'no surname'), ...many, issue('row 900', 'no surname')]
    expect(failureText(invalidInput('Many.', issues), plain).trimEnd().split('\n')).toEqual([
      'Error: Many.',
      '  row 1: no surname',
      '  not a country:',
      '    row 2; row 3; row 4 … and 397 more',
      '  row 900: no surname',
    ])
  })

  test('counts the issues that it was not given too', () => {
    const failure = new Failure('partial', 'Many.', { issues: [issue('row 1', 'wrong')], issueCount: 5001 })
    expect(failureText(failure, plain)).toContain('  row 1: wrong\n  … and 5,000 more\n')
  })

  test('begins in red where there is colour', () => {
    const text = failureText(new Failure('usage', 'No.'), styleFor(true))
    expect(text).toBe('\u001B[31mError:\u001B[39m No.\n')
  })
})

describe('a failure for a script', () => {
  const quoted = "payroll candidates get 'O'\\''Brien $(touch x)' --ireland"

  test('is one line of JSON with every key, null where nothing is known', () => {
    expect(failureJson(new Failure('locked', 'Another run holds the lock.'))).toBe(
      '{"error":{"code":"locked","message":"Another run holds the lock.","exitCode":11,"outcome":null,' +
        '"retryable":false,"status":null,"method":null,"path":null,"issues":[],"hint":null,"next":[]}}\n',
    )
  })

  test.each([
    ['Log in again: payroll auth login --profile acme', ['payroll auth login --profile acme']],
    ['payroll routes export > routes.json. Or unset it.', ['payroll routes export > routes.json']],
    [
      "One (payroll auth status), or: payroll routes set payslips.list 'GET /svc/v1.0/x, y'.",
      ['payroll auth status', "payroll routes set payslips.list 'GET /svc/v1.0/x, y'"],
    ],
    ['payroll profiles set acme --base-url https://…', []],
    ['Look: payroll candidates find <text>', []],
    ['Is it payroll auth status? See payroll auth --help.', ['payroll auth status', 'payroll auth --help']],
    [quoted, [quoted]],
    ['If no other payroll is running, remove it.', []],
    ['Did you mean candidates? See payroll --help.', ['payroll --help']],
    [
      'To mean that record, add --ireland: payroll --profile acme candidates update A-1 --ireland',
      ['payroll --profile acme candidates update A-1 --ireland'],
    ],
    ['payroll --json itself failed', []],
  ])('names the commands that its hint names: %s', (hint, next) => {
    const nouns = ['auth', 'routes', 'profiles', 'candidates']
    const text = failureJson(new Failure('auth', 'No.', { hint }), nouns)
    expect(JSON.parse(text).error).toMatchObject({ hint, next })
  })
})
