// What a list command is measured against: a client in ten lines over node:http.
//   node bench/by-hand-http.cjs <path>     with PAYROLL_BASE_URL and PAYROLL_API_KEY
const { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: authorization } = process.env
require('node:http').get(
  `${baseUrl}${process.argv[2]}?page=1&size=100`,
  { headers: { authorization } },
  (answer) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (part) => (text += part))
    answer.on('end', () => {
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}`)
      process.stdout.write(`${JSON.stringify(JSON.parse(text).data, null, 2)}\n`)
    })
  },
)
