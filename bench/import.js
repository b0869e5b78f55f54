// An import of candidates with every field and a null, beside a loop of eight connections that remembers nothing.
// And a preview of the same as a table.
//   npm run bench -- import                                      the built tool must be there: npm run build
//   node bench/import.js --rows 500 --ireland --doubts           Irish people, each with a value that is doubted
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { beside, byTurns, openFolder, run, saysProcessorTime, serve, tool } from './kit/measure.js'
import { report } from './kit/report.js'

const { values: options } = parseArgs({
  // What another bench is told is no matter here.
  strict: false,
  options: {
    rows: { type: 'string', default: '5000' },
    ireland: { type: 'boolean', default: false },
    doubts: { type: 'boolean', default: false },
  },
})
const rows = Number(options.rows)
const country = options.ireland ? 'ireland' : 'uk'
const { folder, env } = openFolder()
const file = join(folder, 'candidates.ndjson')
const everyField = JSON.parse(readFileSync(beside(`../test/fixtures/candidate-${country}.json`), 'utf8'))
writeFileSync(
  file,
  Array.from({ length: rows }, (_, at) => `${JSON.stringify(candidate(at + 1))}\n`).join(''),
)

const { byHand, own } = await byTurns(Number(process.env.RUNS ?? 3), {
  byHand: () =>
    served((baseUrl) => run([...saysProcessorTime, beside('by-hand/import.js'), baseUrl, file], env, folder)),
  own: () =>
    served((baseUrl) => {
      // Nothing is known of an earlier run.
      rmSync(env.PAYROLL_CONFIG_DIR, { recursive: true, force: true })
      const words = ['candidates', 'import', file, `--${country}`, '-q', '--yes', '--concurrency', '8']
      return run(
        [...saysProcessorTime, tool, ...words],
        { ...env, PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: 'bench-key' },
        folder,
      )
    }),
})
const doubts = options.doubts ? ', each with a doubt' : ''
report(`${rows} candidates with every field (${country}${doubts}), Node ${process.version}`, [
  { what: 'a loop of 8 connections', ...byHand },
  {
    what: `import (processor ${(own.cpuMs / byHand.cpuMs).toFixed(2)} x)`,
    ...own,
    ratio: own.ms / byHand.ms,
    goal: 3.5,
    mbGoal: 150,
  },
])

// A preview of a table with a column for each field, ten of them by a map: no service, so the sandbox of the tool.
const table = join(folder, 'candidates.csv')
const map = join(folder, 'map.json')
writeFileSync(map, JSON.stringify(writeTable(table)))
const { preview } = await byTurns(Number(process.env.RUNS ?? 3), {
  preview: () =>
    run(
      [
        ...saysProcessorTime,
        tool,
        '--profile',
        'sandbox',
        'candidates',
        'import',
        table,
        `--${country}`,
        '--dry-run',
        '--map',
        map,
      ],
      env,
      folder,
    ),
})
report(`a preview of ${rows} rows with every field, Node ${process.version}`, [
  { what: `import --dry-run (processor ${Math.round(preview.cpuMs)} ms)`, ...preview, mbGoal: 160 },
])

/** Writes the candidates as CSV, and gives the map of the columns whose headings nobody can know. */
function writeTable(path) {
  const flat = (value, under = '') =>
    Object.entries(value).flatMap(([name, inner]) =>
      typeof inner === 'object' && inner !== null
        ? flat(inner, Array.isArray(value) ? `${under}[${name}]` : `${under}${under && '.'}${name}`)
        : [[Array.isArray(value) ? `${under}[${name}]` : `${under}${under && '.'}${name}`, inner]],
    )
  // What nests deeper than a list has no column.
  const inTable = (number) =>
    flat(candidate(number)).filter(([field]) => !/\[\d+\]\./.test(field) && !/cutOffPoints\./.test(field))
  const paths = inTable(1).map(([field]) => field)
  const unknown = paths.filter((_, at) => at % 14 === 2).slice(0, 10)
  const headings = paths.map((field) =>
    unknown.includes(field) ? `Col ${field.length} ${field.slice(-3)}` : field,
  )
  const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = Array.from({ length: rows }, (_, at) =>
    inTable(at + 1)
      .map(([, value]) => cell(String(value ?? '')))
      .join(),
  )
  writeFileSync(path, [headings.join(), ...lines, ''].join('\n'))
  return Object.fromEntries(unknown.map((field) => [headings[paths.indexOf(field)], field]))
}

/** Does the work against a service that has nobody yet. */
async function served(work) {
  const service = await serve()
  try {
    return await work(service.baseUrl)
  } finally {
    service.close()
  }
}

/** No two have the same name, number, address, account, email or telephone number. */
function candidate(number) {
  const { generalSetting, bankSetting, payrollSetting } = everyField
  const day = String((number % 28) + 1).padStart(2, '0')
  const own = {
    agencyRef: `BENCH-${number}`,
    forename: `Ann${'abcdefghij'[number % 10]}`,
    surname: `Sample-${options.doubts ? number : number.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[digit])}`,
    county: null,
    ...(!options.ireland && { NINumber: `ZY${String(number).padStart(6, '0')}A` }),
    DOB: `19${60 + (number % 40)}-0${(number % 9) + 1}-${day}`,
    email: `ann${number}@example.com`,
    address: [`${number} Example Street`],
    mobile: `07000 ${String(number).padStart(6, '0')}`,
    emergencyMobile: `07001 ${String(number).padStart(6, '0')}`,
  }
  const accountNumber = String(10_000_000 + number)
  return {
    generalSetting: { ...generalSetting, ...own },
    bankSetting: {
      ...bankSetting,
      accountNumber,
      IBANReference: ibanOf(bankSetting.IBANReference, accountNumber),
    },
    payrollSetting: { ...payrollSetting, ...(options.ireland && { ppsNumber: ppsNumber(number) }) },
  }
}

/** The IBAN of another account of the same bank, with its check digits. */
function ibanOf(iban, accountNumber) {
  const [country, account] = [iban.slice(0, 2), iban.slice(4, -accountNumber.length) + accountNumber]
  const digits = [...`${account}${country}00`].map((sign) => Number.parseInt(sign, 36)).join('')
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`
}

/** With its check letter. */
function ppsNumber(number) {
  const digits = String(number).padStart(7, '0')
  const sum = [...digits].reduce((whole, digit, at) => whole + Number(digit) * (8 - at), 0)
  return digits + 'WABCDEFGHIJKLMNOPQRSTUV'[sum % 23]
}
