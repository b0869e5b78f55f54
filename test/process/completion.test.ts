import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { endedWith, freshHome, payroll } from '../payroll.ts'

const tool = fileURLToPath(new URL('../../bin/payroll.js', import.meta.url))
const shell = spawnSync('bash', ['--version'])

let bashScript: string | undefined

/** What bash offers when the key is pressed behind a word, or before those of `rest`. */
function offered(words: readonly string[], rest = ''): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  bashScript ??= execFileSync(process.execPath, [tool, 'completion', 'bash'], { encoding: 'utf8' })
  const script = `
    payroll() { '${process.execPath}' '${tool}' "$@"; }
    ${bashScript}
    COMP_WORDS=(payroll ${quoted}) COMP_CWORD=${words.length}
    COMP_LINE='payroll ${words.join(' ')}' COMP_POINT=$((\${#COMP_LINE} - ${rest.length}))
    __payroll_complete 2>/dev/null
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const env = { PATH: process.env.PATH ?? '', PAYROLL_CONFIG_DIR: freshHome() }
  const { stdout } = spawnSync('bash', ['-c', script], { env, encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((each) => each && !each.startsWith('package-'))
    .sort()
}

describe.skipIf(shell.error !== undefined)('in bash (skipped where there is none), what is typed', () => {
  // What is offered is decided by `payroll complete`: here, what bash makes of it.
  test.each([
    ['candidates drafts ', ['delete', 'list']],
    // bash itself keeps what stands before the equals sign.
    ['candidates create --set payrollSetting.paymentModel=P', ['PAYEE']],
    ['candidates create --file package.', ['package.json']],
    ['candidates list --where "payFrequency=WEEK', ['payFrequency=WEEKLY']],
    ['candidates create --file = package.', ['package.json']],
    ['candidates list --profile=prod', ['production']],
  ])('is completed: %s', (line, offers) => {
    expect(offered(line.split(' '))).toEqual(offers)
  })

  test('is completed as far as the cursor, where more of the line follows', () => {
    // bash hands over the next word where the cursor stands on the blank before it.
    expect(offered(['candidates', '--limit'], '--limit')).toContain('import')
    expect(offered(['candidates', 'list'], 'st')).toEqual(['list'])
  })

  test('loads twice without a word, and changes nothing for other programs', () => {
    const script = `payroll() { '${process.execPath}' '${tool}' "$@"; }
      before=$COMP_WORDBREAKS
      source <(payroll completion bash); source <(payroll completion bash)
      [[ $before == "$COMP_WORDBREAKS" ]] && echo same; readonly | grep -c ShellComp`
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
    expect([stdout, stderr]).toEqual(['same\n0\n', ''])
  })
})

const isMissing = (name: string) => spawnSync(name, ['--version']).error !== undefined

describe('the completion script', () => {
  test.skipIf(isMissing('zsh'))('of zsh loads twice without a word (skipped where there is none)', () => {
    const script = `autoload -Uz compinit; compinit -u -D
      payroll() { '${process.execPath}' '${tool}' "$@" }
      source <(payroll completion zsh); source <(payroll completion zsh); print $_comps[payroll]`
    const { stdout, stderr } = spawnSync('zsh', ['-fc', script], { encoding: 'utf8' })
    expect([stdout, stderr]).toEqual(['_payroll\n', ''])
  })

  test.skipIf(isMissing('zsh'))(
    'of zsh offers values, and runs nothing of the line that is being typed',
    () => {
      const home = freshHome()
      // The two that only work behind the Tab key are replaced; what they would be handed is printed.
      const script = `payroll() { '${process.execPath}' '${tool}' "$@" }
      compdef() { }; compset() { return 0 }; _describe() { print -rl -- $offers }; _files() { }
      source <(payroll completion zsh)
      press() { words=(payroll "$@") CURRENT=$(( $# + 1 )) PREFIX=\${words[CURRENT]#[\\']}; _payroll }
      press candidates list --profile=prod; press candidates create --set payrollSetting.taxB; press candidates list --where "'marit"
      press candidates list '--x$(touch ${home}/a)='; press candidates list '--x\`touch ${home}/b\`='
      press candidates list '--profile=$(touch ${home}/c)'; press '$(touch ${home}/d)' ''`
      const env = { PATH: process.env.PATH ?? '', PAYROLL_CONFIG_DIR: home }
      const { stdout } = spawnSync('zsh', ['-fc', script], { env, encoding: 'utf8' })
      expect(stdout).toMatch(
        /^production\npayrollSetting\.taxBasis=:Tax basis\nmaritalStatus=:Marital status\n/,
      )
      expect(readdirSync(home).filter((each) => each.length === 1)).toEqual([])
    },
  )

  test.skipIf(isMissing('fish'))('of fish loads twice, and offers verbs and files', () => {
    const env = { PATH: process.env.PATH ?? '', HOME: freshHome(), PAYROLL_CONFIG_DIR: freshHome() }
    const script = `function payroll; '${process.execPath}' '${tool}' $argv; end
      payroll completion fish | source; payroll completion fish | source
      complete -C 'payroll candidates l'; complete -C 'payroll candidates list --sort surn'; complete -C 'payroll candidates list --where "payFrequency=WEEK'; complete -C 'payroll candidates import packa'
      complete -C 'payroll candidates import "packa'; complete -C 'payroll candidates import --map=package.'`
    const { stdout, stderr } = spawnSync('fish', ['-c', script], {
      env,
      encoding: 'utf8',
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
    })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^list\tList candidates\nsurname\tSurname\npayFrequency=WEEKLY\t/)
    expect(stdout.match(/^.*package\.json$/gm)).toEqual([
      'package.json',
      'package.json',
      '--map=package.json',
    ])
  })

  test('of every shell goes into the file of --out', async () => {
    for (const name of ['bash', 'zsh', 'fish', 'powershell']) {
      const out = join(freshHome(), name)
      const { code } = await payroll(['completion', name, '--out', out])
      const script = expect.stringMatching(/payroll complete '?--/)
      expect([name, code, readFileSync(out, 'utf8')]).toEqual([name, 0, script])
    }
  })

  test('of PowerShell evaluates nothing, and hands the typed words on as they are (read, not run)', async () => {
    const { out } = await payroll(['completion', 'powershell'])
    expect(out).toContain("payroll complete '--' $typed")
    // 5.1 would read other letters in the code page of its console.
    expect(out).toMatch(/^[\n\x20-\x7e]+$/)
    // What would run a text as a command.
    expect(out).not.toMatch(
      /Invoke-|\biex\b|ExpandString|\[scriptblock\]|SafeGetValue|\$\(|\. *\$|& *[$("']/i,
    )
  })

  test('of another shell is refused', async () => {
    expect(await payroll(['completion', 'tcsh'])).toMatchObject(endedWith(2, 'bash, zsh, fish, powershell'))
  })
})
