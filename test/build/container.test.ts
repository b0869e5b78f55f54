// @module-tag process

import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshHome } from '../payroll.ts'

/** The first program that builds containers here and answers. */
const builder = ['docker', 'podman'].find(
  (program) => spawnSync(program, ['info'], { timeout: 20_000 }).status === 0,
)
const tag = 'payroll-cli-test'
const run = (words: readonly string[], options: { cwd?: string } = {}) =>
  spawnSync(builder ?? '', words, { encoding: 'utf8', timeout: 300_000, ...options })

/** Whether there is the image that ours begins with, or a way to it. */
const base = 'node:24-slim'
const missing =
  builder === undefined
    ? 'neither docker nor podman answers'
    : run(['image', 'inspect', base]).status !== 0 && run(['pull', '--quiet', base]).status !== 0
      ? `${base} cannot be had`
      : undefined

describe.skipIf(missing !== undefined)(`the container${missing ? ` (skipped: ${missing})` : ''}`, () => {
  beforeAll(() => {
    const folder = freshHome()
    mkdirSync(join(folder, 'packages'), { recursive: true })
    for (const name of ['Dockerfile', '.dockerignore']) copyFileSync(name, join(folder, name))
    const pack = ['pack', '--ignore-scripts', '--pack-destination', join(folder, 'packages')]
    expect(spawnSync('npm', pack).status).toBe(0)
    expect(readdirSync(join(folder, 'packages'))).toHaveLength(1)
    expect(run(['build', '--tag', tag, '.'], { cwd: folder })).toMatchObject({ status: 0 })
  }, 300_000)
  afterAll(() => {
    run(['image', 'rm', tag])
    run(['volume', 'rm', tag])
  })

  test('runs as a user without rights, and finds in its volume what a run before it stored', () => {
    const inside = (...words: string[]) =>
      run(['run', '--rm', '--network', 'none', '--volume', `${tag}:/state`, ...words])
    expect(inside('--entrypoint', 'id', tag, '-un').stdout).toBe('node\n')
    const create = ['candidates', 'create', '--incomplete', '--set', 'generalSetting.city=York']
    expect(inside(tag, '--profile', 'sandbox', ...create)).toMatchObject({ status: 0 })
    const listed = inside(tag, '--profile', 'sandbox', 'candidates', 'list', '--json')
    expect(JSON.parse(listed.stdout)).toHaveLength(1)
  }, 120_000)
})
