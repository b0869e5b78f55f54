import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { payroll, type Setting } from '../../payroll.ts'
import { file, loopback } from '../targets.ts'

const ann = JSON.stringify({ generalSetting: { agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample' } })

/** A service with one person, and a home with a change and a document, which are HOME/city.json and HOME/a.pdf of a command. */
async function withAnn() {
  const at = await loopback()
  await at.call('POST', '/svc/candidates', JSON.parse(ann))
  file(at.home, 'city.json', '{"generalSetting":{"city":"Leeds"}}')
  file(at.home, 'a.pdf', '%PDF')
  const start = (words: string, setting: Setting) =>
    payroll(words.replaceAll('HOME', at.home).split(' '), { home: at.home, env: at.env, ...setting })
  return { ...at, start }
}

describe('standard input', () => {
  // Nobody ever closes this pipe: a command that read it would never end.
  test.each([
    'candidates update UK-1 --set city=Leeds',
    'candidates update UK-1 --unset city',
    'candidates update UK-1 --file HOME/city.json',
    'candidates create --set forename=Bo --set surname=Sample',
    'candidates create --incomplete --from UK-1',
    'candidates create --incomplete --file HOME/city.json',
    'documents create --employee UK-1 --upload HOME/a.pdf',
  ])('is left alone by %s', async (words) => {
    const { start } = await withAnn()
    const input = new PassThrough()
    input.write('{"generalSetting":{"city":"York"}}')
    const run = await start(words, { input })
    expect([run.code, run.err.includes('waiting')]).toEqual([0, false])
    expect(input.readableLength).toBeGreaterThan(0)
  })

  test.each([
    ['candidates create --uk --quiet', ann, 'the record, as JSON. Nothing was sent yet.'],
    ['candidates create --uk --file - --quiet', ann, 'the record, as JSON. Nothing was sent yet.'],
    ['auth login --profile production --base-url URL', 'sandbox-key', 'API key for URL.'],
  ])('that does not come is spoken of after two seconds by %s', async (words, text, what) => {
    const { start, baseUrl } = await withAnn()
    const input = new PassThrough()
    const onPause = async () => void input.end(text)
    const run = await start(words.replace('URL', baseUrl), { input, onPause })
    expect([run.code, run.pauses]).toEqual([0, [2000]])
    expect(run.err).toContain(`waiting for standard input: ${what.replace('URL', baseUrl)}`)
  })

  test('that is there at once is read without a word', async () => {
    const { start } = await withAnn()
    const run = await start('candidates create --uk', { input: ann })
    expect([run.code, run.pauses, run.err.includes('waiting')]).toEqual([0, [], false])
  })

  test('that was left alone is named where candidates create --set has too little', async () => {
    const { start, writes } = await withAnn()
    const run = await start('candidates create --set city=Leeds --json', { input: ann })
    expect([run.code, writes()]).toEqual([3, []])
    expect(run.error().hint).toMatch(/Standard input was not read.*--file -/s)
  })
})

test('documents create refuses --upload beside --file, of which one would do nothing', async () => {
  const { start, writes } = await withAnn()
  const run = await start('documents create --employee UK-1 --upload HOME/a.pdf --file HOME/city.json', {})
  expect([run.code, writes()]).toEqual([2, []])
  expect(run.err).toContain('--upload and --file cannot be combined')
})
