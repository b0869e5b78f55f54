import { spawn } from 'node:child_process'
import type { Context } from '../../../../context/context.ts'
import { usage } from '../../../../errors.ts'
import { commandWords } from '../../../../files/command-words.ts'
import { withoutSecrets } from '../../../../secrets/without-secrets.ts'

/** Opens a file in the editor, and waits for its end. Throws a usage failure when it does not end well. */
export async function openInEditor(command: string, file: string, context: Context): Promise<void> {
  const { host, interruption } = context
  const words = await commandWords(command, host.env)
  if (!words) {
    throw usage(
      '$VISUAL or $EDITOR holds more than one command. Nothing was sent.',
      'Write the editor and its options alone: EDITOR=\'"/Applications/My Editor/ed" --wait\'',
    )
  }
  const [editor = '', ...args] = words
  return new Promise((resolve, reject) => {
    const child = spawn(editor, [...args, file], { stdio: 'inherit', env: withoutSecrets(host.env) })
    // It would write its file again, and keep the terminal.
    interruption.signal.addEventListener('abort', () => child.kill())
    child.on('error', () => reject(usage(`The editor ${editor} cannot be started. Nothing was sent.`)))
    child.on('exit', (code) =>
      code === 0
        ? resolve()
        : reject(usage(`The editor ${editor} ended with exit code ${code}. Nothing was sent.`)),
    )
  })
}
