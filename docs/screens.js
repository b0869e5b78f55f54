/**
 * Draws the screens of the README from real runs: the built tool in a terminal of 80 columns, on the sandbox, with
 * people who do not exist. `npm run screens` writes docs/screens/*.svg. What differs from run to run (an id) is made
 * the same.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawn } from '@lydell/node-pty'
import headless from '@xterm/headless'

const tool = fileURLToPath(new URL('../bin/payroll.js', import.meta.url))
const folder = fileURLToPath(new URL('./screens/', import.meta.url))
const cols = 80
const cell = { width: 8.4, height: 18 }
const margin = 14

const palette = { 1: '#c4302b', 2: '#2a7d2e', 3: '#9a6700', 6: '#0a6c74' }

const home = mkdtempSync(join(tmpdir(), 'payroll-screens-'))
try {
  await form()
  await list()
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function form() {
  const run = opened(['candidates', 'create', '--ireland'], 50)
  await run.answer('? Agency reference', 'IE-0001')
  await run.answer('? Forename', 'Aoife')
  await run.answer('? Surname', 'Ní Shampla')
  await run.answer('? Date of birth', '4/11/1991')
  await run.answer('line 1', '1 Example Street')
  await run.answer('line 2', '')
  await run.answer('? City', 'Dublin')
  await run.answer('? County', 'Co. Dublin')
  await run.answer('? Eircode', 'do2 x285')
  await run.shows('Take D02 X285')
  run.draw('question')
  await run.answer('Take D02 X285', '')
  await run.answer('? Country', '')
  await run.answer('? PPS number', '>')
  await run.answer('? Start date', '3 oct 2026')
  await run.answer('? Job title', 'Nurse')
  await run.answer('? Pay frequency', '')
  await run.answer('? Hourly rate', '27.50')
  await run.answer('? Hours', '39')
  await run.answer('? Pay method', 'bank')
  await run.answer('? Payment model', '')
  await run.answer('? Tax basis', 'cum')
  await run.answer('? Yearly tax credits', '4,000')
  await run.answer('? Standard rate', '€44,000')
  await run.answer('? USC status', '>')
  await run.answer('? Account name', 'Aoife Ni Shampla')
  await run.answer('? IBAN', 'IE29AIBK93115212345678')
  await run.answer('? Mobile', '>>')
  await run.shows('What next?')
  run.draw('review')
  await run.answer('What next?', 'Send')
  await run.ended
}

async function list() {
  const sandbox = { PAYROLL_PROFILE: 'sandbox' }
  const seeded = opened(['sandbox', 'seed', '--quiet'], 10, sandbox)
  await seeded.ended
  const run = opened(['payslips', 'list', '--where', 'taxPeriod=1', '--limit', '8'], 12, sandbox)
  await run.ended
  run.draw('list')
}

/** A run in a terminal of its own. */
function opened(argv, rows, more = {}) {
  const screen = new headless.Terminal({ cols, rows, allowProposedApi: true, convertEol: false })
  const env = {
    PATH: process.env.PATH,
    TERM: 'xterm-256color',
    PAYROLL_CONFIG_DIR: home,
    FORCE_COLOR: '1',
    ...more,
  }
  const pty = spawn(process.execPath, [tool, ...argv], { cols, rows, env })
  let pending = Promise.resolve()
  pty.onData((text) => {
    pending = pending.then(() => new Promise((done) => screen.write(text, done)))
  })
  const ended = new Promise((resolve) => pty.onExit(resolve)).then(() => pending)
  const lines = () =>
    Array.from({ length: screen.buffer.active.length }, (_, at) => screen.buffer.active.getLine(at))
  const text = () =>
    lines()
      .map((line) => line.translateToString(true))
      .join('\n')
  const shows = async (words) => {
    for (let tries = 0; !text().split('\n').slice(-rows).join('\n').includes(words); tries++) {
      if (tries > 1500) throw new Error(`never shown: ${words}\n${text()}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    // What is still being drawn is waited for.
    await new Promise((resolve) => setTimeout(resolve, 150))
    await pending
  }
  return {
    ended,
    shows,
    async answer(question, typed) {
      await shows(question)
      pty.write(`${typed}\r`)
      await new Promise((resolve) => setTimeout(resolve, 150))
    },
    draw: (name) => writeFileSync(join(folder, `${name}.svg`), svgOf(screen, `$ payroll ${argv.join(' ')}`)),
  }
}

/** What stands on a screen, with its colours, under the command that was typed. */
function svgOf(screen, command) {
  const { active } = screen.buffer
  const shown = Array.from({ length: screen.rows }, (_, at) => runsOf(active.getLine(active.baseY + at)))
  while (shown.length > 0 && shown.at(-1).length === 0) shown.pop()
  const rows = [[{ text: command, colour: '#57606a', bold: true, dim: false, at: 0 }], ...shown]
  const width = cols * cell.width + 2 * margin
  const height = rows.length * cell.height + 2 * margin
  const lines = rows.map((runs, row) => {
    const y = margin + (row + 0.75) * cell.height
    return runs.map((run) => spanOf(run, y)).join('')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<title>${escaped(command)}</title>
<rect width="100%" height="100%" rx="8" fill="#ffffff" stroke="#d0d7de"/>
${lines.filter(Boolean).join('\n')}
</svg>
`
}

/** Pieces of a line that look alike. */
function runsOf(line) {
  const runs = []
  for (let at = 0; at < cols; at++) {
    const one = line.getCell(at)
    if (!one || one.getWidth() === 0) continue
    const look = {
      colour: one.isFgPalette() ? (palette[one.getFgColor()] ?? '#1f2328') : '#1f2328',
      bold: one.isBold() !== 0,
      dim: one.isDim() !== 0,
    }
    const last = runs.at(-1)
    const same = last && last.colour === look.colour && last.bold === look.bold && last.dim === look.dim
    if (same) last.text += one.getChars() || ' '
    else runs.push({ ...look, at, text: one.getChars() || ' ' })
  }
  const written = runs.filter(({ text }) => text.trim() !== '')
  return written.map((run) => ({ ...run, text: run.text.trimEnd() }))
}

function spanOf({ text, colour, bold, dim, at }, y) {
  const x = (margin + at * cell.width).toFixed(1)
  const look = `fill="${colour}"${bold ? ' font-weight="600"' : ''}${dim ? ' opacity="0.6"' : ''}`
  const known = text.replace(
    /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    '4f1c9a52-0000-4000-8000-000000000001',
  )
  return `<text x="${x}" y="${y.toFixed(1)}" xml:space="preserve" ${look} textLength="${(known.length * cell.width).toFixed(1)}">${escaped(known)}</text>`
}

function escaped(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}
