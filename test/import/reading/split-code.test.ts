import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importFixture } from '../import-fixture.ts'

const header = 'Employee ref,First name,Last name,Tax code'

async function importOf(...lines: string[]) {
  const at = await importFixture()
  const csv = join(at.home, 'starters.csv')
  writeFileSync(csv, `${lines.join('\n')}\n`)
  const run = await at.importFile(csv)
  const sent = at.posted().map(({ body }) => JSON.parse(body?.toString() ?? '').payrollSetting)
  return { ...run, sent, again: () => at.importFile(csv) }
}

describe('a tax code with week 1/month 1 behind it, in a table', () => {
  test.each(['1257L X', '1257L W1', '1257L M1', '1257l w1/m1', '1257L (Wk1)', '1257LX', '1257L-M1'])(
    'is sent as code and tax basis: %s',
    async (code) => {
      const run = await importOf(header, `T-1,Ann,Sample,${code}`)
      expect(run).toMatchObject({ code: 0, sent: [{ taxCode: '1257L', taxBasis: 'W1M1' }] })
      expect(run.err).toContain(
        'column D (Tax code): W1, M1 or X after the code is sent as the tax basis W1M1: row 2',
      )
      expect(run.err).not.toContain('belongs in')
    },
  )

  test('is said once for all of its rows', async () => {
    const { err } = await importOf(header, ...[1, 2, 3].map((at) => `T-${at},Ann,Sample${at},S1257L X`))
    expect(err.match(/as the tax basis W1M1/g)).toHaveLength(1)
    expect(err).toContain('W1M1: rows 2, 3 and 4')
  })

  test.each([
    ['Y', 'W1M1'],
    ['yes', 'W1M1'],
    ['N', 'CUMULATIVE'],
  ])('may have a column of its own with yes and no: %s is %s', async (answer, taxBasis) => {
    const run = await importOf(`${header},Week 1 Month 1`, `T-1,Ann,Sample,1257L,${answer}`)
    expect(run).toMatchObject({ code: 0, sent: [{ taxCode: '1257L', taxBasis }] })
    expect(run.err).not.toContain('not one of the known values')
  })

  test('agrees with a tax basis that says the same', async () => {
    const run = await importOf(`${header},Tax basis`, 'T-1,Ann,Sample,BR M1,Month 1')
    expect(run).toMatchObject({ code: 0, sent: [{ taxCode: 'BR', taxBasis: 'W1M1' }] })
  })

  test('is refused with the cell of a tax basis that says something else, and nothing is sent', async () => {
    const run = await importOf(`${header},Tax basis`, 'T-1,Ann,Sample,1257L X,Cumulative')
    expect(run).toMatchObject({ code: 3, sent: [] })
    expect(run.err).toContain('column E (Tax basis): it contradicts the W1, M1 or X after the tax code')
  })

  test('is the same row in the next run', async () => {
    const { again } = await importOf(header, 'T-1,Ann,Sample,1257L X')
    expect((await again()).json()).toMatchObject({ rows: 1, created: 0, createdEarlier: 1, pending: 0 })
  })
})

test('week 1/month 1 is taken from behind an OT too, whose O is doubted alone', async () => {
  const run = await importOf(header, 'T-1,Ann,Sample,OT M1')
  expect(run).toMatchObject({ code: 0, sent: [{ taxCode: 'OT', taxBasis: 'W1M1' }] })
  expect(run.err).toContain('did you mean 0T?')
})

test('a column for code and basis in one is asked about, and not taken for the basis', async () => {
  const run = await importOf('Employee ref,First name,Last name,Tax code/basis', 'T-1,Ann,Sample,1257L W1')
  expect(run).toMatchObject({ code: 3, sent: [] })
  expect(run.err).toContain('can mean Tax code or Tax basis')
})

test('a code that ends in an X without a tax code before it is left as it is, with a doubt', async () => {
  const run = await importOf(header, 'T-1,Ann,Sample,12 X')
  expect(run).toMatchObject({ code: 0, sent: [{ taxCode: '12 X' }] })
  expect(run.err).toContain('not a tax code as HMRC writes it')
})

test('a column Tax code basis that has nothing but words of the basis is the basis', async () => {
  const run = await importOf(
    `${header},Tax code basis`,
    'T-1,Ann,Sample,1257L,Wk1/Mth1',
    'T-2,Bob,Sample,BR,Cumulative',
    'T-3,Cat,Sample,1257L,',
  )
  expect(run).toMatchObject({
    code: 0,
    sent: [{ taxBasis: 'W1M1' }, { taxBasis: 'CUMULATIVE' }, { taxCode: '1257L' }],
  })
})

test.each(['Week 1', 'M1'])('a column %s with yes and no is asked about still', async (heading) => {
  const run = await importOf(`${header},${heading}`, 'T-1,Ann,Sample,1257L,Y', 'T-2,Bob,Sample,1257L,N')
  expect(run).toMatchObject({ code: 3, sent: [] })
})
