/** The library for the keyring, in a file beside the executable: a native module cannot be loaded from inside it. */
export const keyringFile = 'keyring.node'

/** An executable runs the program below when its first word is this one. */
export const keyringWord = 'keyring-process'

/** Runs in the other process, which is asked by its standard input: no other process can read that. */
export const keyringProgram = `
const chunks = []
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
  const { path, action, name, secret } = JSON.parse(Buffer.concat(chunks).toString())
  const say = (answer) => process.stdout.write(JSON.stringify(answer))
  try {
    const { Entry } = require(path)
    // Never the keyring of the kernel, which forgets.
    const entry = new Entry('payroll', name, { linux: { store: 'secret-service' } })
    if (action === 'write') entry.setPassword(secret)
    if (action === 'read') return say({ value: entry.getPassword() })
    if (action === 'remove') entry.deletePassword()
    say({ value: null })
  } catch {
    say({})
  }
})`
