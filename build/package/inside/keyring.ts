import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { keyringFile, keyringProgram, otherFile } from '../../../src/credentials/keyring-program.ts'

/**
 * Answers what the tool asks the keyring of the system. Loads the file beside the executable and no other, and only if it
 * is the one that the executable was built with.
 *
 * @param digest its SHA-256, in hexadecimal
 */
export function answerKeyring(digest: string): void {
  const path = join(dirname(process.execPath), keyringFile)
  const load = () => {
    // Loaded here: what is imported is loaded at every start, and this costs as much as a short command.
    const { createHash } = require('node:crypto') as typeof import('node:crypto')
    if (createHash('sha256').update(readFileSync(path)).digest('hex') !== digest) throw new Error(otherFile)
    return createRequire(process.execPath)(path)
  }
  // The program says require(), as it does where Node runs it.
  new Function('require', keyringProgram)(load)
}
