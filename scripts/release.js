/**
 * Adds to packages what a release has besides: `npm run release -- --url https://… [--key <OpenPGP key>]`. `--url` is the address
 * below which the files will lie.
 */
import { parseArgs } from 'node:util'
import { bundled } from './bundled.js'

const { url, key } = parseArgs({ options: { url: { type: 'string' }, key: { type: 'string' } } }).values
if (/^https:\/\/./.test(url ?? '')) {
  const { makeRelease } = await bundled('release')
  makeRelease('packages', { url, key }, (line) => process.stdout.write(`${line}\n`))
  if (key === undefined) process.stdout.write('Nothing is signed: --key names the key of whoever releases.\n')
} else {
  process.stderr.write(
    'Usage: npm run release -- --url https://… [--key <OpenPGP key>], the address of the files.\n',
  )
  process.exitCode = 2
}
