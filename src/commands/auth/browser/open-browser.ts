import { spawn } from 'node:child_process'
import { platform } from 'node:os'
import { withoutSecrets } from '../../../secrets/without-secrets.ts'

/**
 * Opens an address in the browser, if there is one: BROWSER, or what the system opens addresses with. Not by a shell.
 * Returns whether a program was started; the address is printed in any case.
 *
 * @param url an https address, or one on this computer, that holds no secret: others see the words of a process
 */
export function openBrowser(url: URL, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [program, ...args] = openerOf(env)
  if (program === undefined) return Promise.resolve(false)
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url.href], {
      stdio: 'ignore',
      detached: true,
      shell: false,
      env: withoutSecrets(env),
    })
    child.on('error', () => resolve(false))
    child.on('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

function openerOf(env: NodeJS.ProcessEnv): readonly string[] {
  const { BROWSER } = env
  if (BROWSER === 'none') return []
  if (BROWSER) return [BROWSER]
  switch (platform()) {
    case 'darwin':
      return ['open']
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler']
    default:
      // Without a screen it would start a browser in the terminal, or wait for one.
      return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : []
  }
}
