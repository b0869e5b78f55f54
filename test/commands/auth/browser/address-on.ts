import { setTimeout as pause } from 'node:timers/promises'

/** The address that a sign-in has shown, once it waits for the browser. */
export async function addressOn(screen: () => string): Promise<string> {
  for (let waited = 0; waited < 20_000; waited += 20) {
    const found = /^ {2}(https?:\/\/\S+)$/m.exec(screen())?.[1]
    if (found && screen().includes('Waiting for the browser')) return found
    await pause(20)
  }
  throw new Error(`never shown: the address\n${screen()}`)
}
