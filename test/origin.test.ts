import { describe, expect, test } from 'vitest'
import { canonicalOrigin } from '../src/origin.ts'

describe('canonicalOrigin', () => {
  test.each([
    ['http://localhost:4010/svc', 'http://127.0.0.1:4010'],
    ['http://LOCALHOST:80', 'http://127.0.0.1'],
    ['http://[::1]:4010', 'http://127.0.0.1:4010'],
    ['http://127.9.9.9:4010', 'http://127.0.0.1:4010'],
    ['http://2130706433:4010', 'http://127.0.0.1:4010'],
    ['https://localhost.:4010', 'https://127.0.0.1:4010'],
    ['https://pay.localhost', 'https://127.0.0.1'],
    ['https://0.0.0.0:8443', 'https://127.0.0.1:8443'],
    ['https://[::ffff:127.0.0.1]:8443', 'https://127.0.0.1:8443'],
    ['https://Payroll.Example.com.:443/a', 'https://payroll.example.com'],
    ['https://payroll.example.com:8443', 'https://payroll.example.com:8443'],
    ['https://127.0.0.1.example.com', 'https://127.0.0.1.example.com'],
    ['https://notlocalhost', 'https://notlocalhost'],
    ['https://[::ffff:10.0.0.1]', 'https://[::ffff:a00:1]'],
  ])('makes of %s %s', (address, origin) => {
    expect(canonicalOrigin(address)).toBe(origin)
  })
})
