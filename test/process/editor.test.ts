import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loopback } from '../commands/targets.ts'
import { endedWith, freshHome } from '../payroll.ts'
import { run } from './built.ts'

/** A record, and how to edit it by a script of shell. */
async function editing(script: string, folder = freshHome()) {
  const { env, call, writes } = await loopback()
  await call('POST', '/svc/candidates', { generalSetting: { city: 'Leeds' } })
  const [{ id }] = (await call('GET', '/svc/candidates')).json.data
  const editor = join(folder, 'ed')
  writeFileSync(editor, `#!/bin/sh\n${script}\n`, { mode: 0o700 })
  const before = writes().length
  return {
    editor,
    sent: () => writes().length - before,
    edit: (EDITOR: string, more = {}) =>
      run(['candidates', 'update', id, '--edit'], { env: { ...env, ...more, EDITOR } }),
  }
}

describe('the editor', () => {
  test('is started from a folder with a blank in its name, with its options', async () => {
    const folder = join(freshHome(), 'my editor')
    mkdirSync(folder)
    const script = 'test "$1" = --wait || exit 9\nsed -i s/Leeds/York/ "$2"'
    const { edit, editor, sent } = await editing(script, folder)
    for (const command of [`"${editor}" --wait`, `${editor.replaceAll(' ', '\\ ')} '--wait'`])
      expect((await edit(command)).code).toBe(0)
    expect(sent()).toBe(1)
  })

  test('is nano where neither VISUAL nor EDITOR is set, and one that is missing is named: exit 2', async () => {
    const { edit, editor, sent } = await editing('sed -i s/Leeds/York/ "$1"')
    renameSync(editor, join(dirname(editor), 'nano'))
    const PATH = `${dirname(editor)}:${process.env.PATH}`
    expect((await edit('', { PATH })).code).toBe(0)
    expect(sent()).toBe(1)
    const says = 'The editor no-such-editor cannot be started. Nothing was sent.\nTo use another'
    expect(await edit('no-such-editor')).toMatchObject(endedWith(2, says))
  })

  test.each(['false', 'ed "--wait'])('that fails is exit 2, and nothing is sent: %s', async (command) => {
    const { edit, sent } = await editing('exit 0')
    const says = `The editor ${command} ended with exit code`
    expect(await edit(command)).toMatchObject(endedWith(2, says))
    expect(sent()).toBe(0)
  })

  test('gets what it needs, and neither a key nor a password of anything', async () => {
    const seen = join(freshHome(), 'seen')
    const { edit, editor } = await editing(`env > ${seen}`)
    const proxies = {
      ...{ HTTPS_PROXY: 'http://ann:CANARYone@127.0.0.1:9', http_proxy: 'ann:CANARYtwo@127.0.0.1:9' },
      ...{ PAYROLL_JOURNAL: 'postgres://ann:CANARYthree@127.0.0.1/journal', PGPASSWORD: 'CANARYfour' },
      ...{ GITHUB_TOKEN: 'CANARYfive', VAULT_TOKEN: 'CANARYsix' },
      ...{ NO_PROXY: '127.0.0.1', TERM: 'xterm', LC_ALL: 'C' },
    }
    expect((await edit(editor, proxies)).code).toBe(0)
    const env = readFileSync(seen, 'utf8')
    const kept = ['HTTPS_PROXY=http://127.0.0.1:9', 'http_proxy=127.0.0.1:9', 'TERM=xterm', 'LC_ALL=C']
    expect(env.split('\n')).toEqual(expect.arrayContaining(kept))
    expect(env).not.toMatch(/CANARY|ann:|PAYROLL_/)
  })

  test('that takes the file away is exit 3, and nothing is sent', async () => {
    const { edit, editor, sent } = await editing('rm "$1"')
    const ended = await edit(editor)
    expect(ended).toMatchObject({ code: 3, out: '' })
    expect(ended.err).toContain('The file could not be read after the editor closed. Nothing was sent.')
    expect(sent()).toBe(0)
  })
})
