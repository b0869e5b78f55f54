import { describe, expect, test } from 'vitest'
import { checkBaseUrl } from '../../src/credentials/base-url.ts'

describe('checkBaseUrl', () => {
  test.each([
    ['https://payroll.example.com', 'https://payroll.example.com/'],
    [' https://payroll.example.com\n', 'https://payroll.example.com/'],
    ['HTTPS://Payroll.Example.COM', 'https://payroll.example.com/'],
    ['https://payroll.example.com:443', 'https://payroll.example.com/'],
    ['https://payroll.example.com:8443/', 'https://payroll.example.com:8443/'],
    ['https://example.com/api/v1///', 'https://example.com/api/v1'],
    ['https://example.com/a@b', 'https://example.com/a@b'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/'],
    ['http://127.255.255.254', 'http://127.255.255.254/'],
    ['http://127.1', 'http://127.0.0.1/'],
    ['http://0x7f000001', 'http://127.0.0.1/'],
    ['http://[::1]:3000', 'http://[::1]:3000/'],
    ['http://[0:0::1]', 'http://[::1]/'],
    ['http://localhost:3000', 'http://localhost:3000/'],
  ])('takes %j', (text, href) => {
    expect(checkBaseUrl(text).href).toBe(href)
  })

  test.each([
    ['http://payroll.example.com', 'not encrypted', 'https://payroll.example.com'],
    ['http://127.0.0.1.example.com', 'not encrypted', 'https://127.0.0.1.example.com'],
    ['http://128.0.0.1', 'not encrypted', 'https://128.0.0.1'],
    ['http://0.0.0.0', 'not encrypted', 'https://0.0.0.0'],
    ['http://[::ffff:127.0.0.1]', 'not encrypted', 'https://[::ffff:7f00:1]'],
    ['http://localhost.example.com', 'not encrypted', 'https://localhost.example.com'],
    ['https://127.0.0.1@example.com/', 'user name', 'Write https://example.com '],
    ['http://127.0.0.1:80@example.com/', 'user name', 'Write http://example.com '],
    ['https://@example.com/', 'user name', 'Write https://example.com '],
    ['https://ann:CANARY@example.com', 'user name', 'Write https://example.com '],
    ['https://example.com/?key=CANARY', 'query', 'Leave out'],
    ['https://example.com/?', 'query', 'Leave out'],
    ['https://example.com/#', 'query', 'Leave out'],
    ['ftp://example.com', 'not a web address', 'https://'],
    ['file:///etc/passwd', 'not a web address', 'https://'],
    ['javascript:alert(1)', 'not a web address', 'https://'],
    ['payroll.example.com', 'not a web address', 'https://'],
    ['//payroll.example.com', 'not a web address', 'https://'],
    ['https:payroll.example.com', 'not a web address', 'https://'],
    ['https:\\\\payroll.example.com', 'not a web address', 'https://'],
    ['https://example.com\\@127.0.0.1', 'not a web address', 'https://'],
    ['https://exam\nple.com', 'not a web address', 'https://'],
    ['https://exam\u200bple.com', 'not a web address', 'https://'],
    ['https://example.com:99999', 'not a web address', 'https://'],
    ['https://', 'not a web address', 'https://'],
    ['CANARYkey0000', 'not a web address', 'https://'],
    ['', 'not a web address', 'https://'],
    [`https://example.com/${'/'.repeat(2_000)}`, 'not a web address', 'https://'],
  ])('refuses %j', (text, reason, remedy) => {
    expect(() => checkBaseUrl(text, 'PAYROLL_BASE_URL')).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringMatching(new RegExp(`^PAYROLL_BASE_URL .*${reason}(?!.*CANARY)`)),
        details: expect.objectContaining({ hint: expect.stringMatching(literal(remedy)) }),
      }),
    )
  })
})

test('checkBaseUrl gives the origin that a key is bound to: scheme, host and port, not the path', () => {
  expect(checkBaseUrl('https://Example.com:443/api/').origin).toBe('https://example.com')
  expect(checkBaseUrl('https://example.com:8443').origin).toBe('https://example.com:8443')
})

/** The remedy, in a text that shows no secret. */
function literal(text: string): RegExp {
  return new RegExp(`^(?!.*CANARY).*${text.replace(/[.[\]?]/g, '\\$&')}`)
}
