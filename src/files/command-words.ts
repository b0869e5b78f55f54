import { platform } from 'node:os'

/**
 * The words of a command as a shell takes them apart: `"/a b/ed" --wait`. It is not run by a shell. Undefined for what is
 * more than one command.
 */
export async function commandWords(command: string, env: NodeJS.ProcessEnv): Promise<string[] | undefined> {
  const { parse } = await import('shell-quote')
  // A path of Windows is full of what escapes elsewhere.
  const words = parse(command, (name) => env[name] ?? '', platform() === 'win32' ? { escape: '^' } : {})
  const plain = words.map((word) =>
    typeof word === 'string' ? word : 'op' in word && word.op === 'glob' ? word.pattern : undefined,
  )
  return plain.every((word) => word !== undefined) ? plain : undefined
}
