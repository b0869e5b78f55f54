import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { keyringFile, keyringProgram } from '../../../src/credentials/keyring-program.ts'

/** Answers what the tool asks the keyring of the system. Loads the file beside the executable and no other. */
export function answerKeyring(): void {
  const load = () => createRequire(process.execPath)(join(dirname(process.execPath), keyringFile))
  // The program says require(), as it does where Node runs it.
  new Function('require', keyringProgram)(load)
}
