import { spawn } from 'node:child_process'
import { platform } from 'node:os'
import type { Context } from '../../../../context/context.ts'
import { usage } from '../../../../errors.ts'
import { withoutSecrets } from '../../../../secrets/without-secrets.ts'

/** Opens a file in the editor, and waits for its end. Throws a usage failure when it does not end well. */
export async function openInEditor(command: string, file: string, context: Context): Promise<void> {
  const { host, interruption } = context
  const [editor = '', ...args] = await wordsOf(command, host.env)
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

/** The words of a command as a shell takes them apart: `"/a b/ed" --wait`. It is not run by a shell. */
async function wordsOf(command: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const { parse } = await import('shell-quote')
  // A path of Windows is full of what escapes elsewhere.
  const words = parse(command, (name) => env[name] ?? '', platform() === 'win32' ? { escape: '^' } : {})
  return words.map((word) => {
    if (typeof word === 'string') return word
    if ('op' in word && word.op === 'glob') return word.pattern
    throw usage(
      '$VISUAL or $EDITOR holds more than one command. Nothing was sent.',
      'Write the editor and its options alone: EDITOR=\'"/Applications/My Editor/ed" --wait\'',
    )
  })
}
