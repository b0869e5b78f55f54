// The same in ten lines over the built-in fetch.
//   node bench/by-hand-fetch.mjs <path>     with PAYROLL_BASE_URL and PAYROLL_API_KEY
const { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: authorization } = process.env
const answer = await fetch(`${baseUrl}${process.argv[2]}?page=1&size=100`, { headers: { authorization } })
if (!answer.ok) throw new Error(`${answer.status}`)
process.stdout.write(`${JSON.stringify((await answer.json()).data, null, 2)}\n`)
