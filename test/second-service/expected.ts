import type { Case } from './cases.ts'
import type { Shape } from './shapes.ts'

/**
 * right: exit 0, the service has what was asked and nothing else changed, and the output is true.
 * refused: another exit code, and nothing was changed.
 * uncertain: it says that it does not know whether a request was applied.
 * told: it did something else than asked, and says truthfully what.
 * wrong: it says something untrue.
 */
export interface Judgement {
  readonly verdict: 'right' | 'refused' | 'uncertain' | 'told' | 'wrong'
  readonly why: string
}

type Does = Case['does'] | 'import'
type Verdict = Judgement['verdict']

interface Line {
  readonly shape?: RegExp
  readonly command?: RegExp
  readonly does?: readonly Does[]
  readonly may: readonly Verdict[]
}

const lists = ['list', 'export'] as const
const writes = ['create', 'update', 'delete'] as const
const raw = ['raw read', 'raw write'] as const

/** What may come of a command, where it is not simply `right`. The first line that fits counts. */
const lines: readonly Line[] = [
  // Where a list cannot be trusted to show a row, the row may stay open; it is never sent twice.
  { shape: /late/, does: ['import'], may: ['right', 'uncertain', 'told'] },
  { shape: /hides new/, does: ['import'], may: ['uncertain', 'told'] },
  { shape: /shortened/, does: ['import'], may: ['uncertain', 'told'] },
  {
    shape: /(masked|without its bank|another record than)/,
    does: ['import'],
    may: ['right', 'uncertain', 'told'],
  },
  { shape: /(deeper|numbers as text)/, does: ['import'], may: ['right', 'refused'] },
  { shape: /too early/, does: ['import'], may: ['right', 'refused', 'uncertain', 'told'] },
  // After a no inside of a 2xx an import looks for the row: one that has a double there stays open.
  { shape: /^a plain no/, does: ['import'], may: ['refused', 'uncertain'] },
  { shape: /^(a message alone|a damaged answer: half a no)/, does: ['import'], may: ['uncertain'] },
  { shape: /it was done/, does: ['import'], may: ['right', 'uncertain', 'told'] },
  { shape: /^200 /, does: ['import'], may: ['refused', 'uncertain'] },
  { shape: /^202 /, does: ['import'], may: ['uncertain'] },
  { shape: /idle connections/, does: ['import'], may: ['right', 'uncertain'] },

  // What plainly says no is a refusal, in every command that writes. What cannot be read whole confirms nothing.
  { shape: /^a plain no/, may: ['refused'] },
  // The user of a raw call sees what came.
  { shape: /^a message alone/, does: ['raw write'], may: ['told'] },
  { shape: /^(a message alone|a damaged answer: half a no)/, may: ['uncertain'] },
  { shape: /^a damaged answer, though it was done/, does: ['raw write'], may: ['uncertain'] },
  { shape: /^a damaged answer, though it was done/, may: ['right', 'uncertain'] },

  // RFC 9112, 9.5: what is on its way when the service closes a connection may be lost, before it is seen there too.
  { shape: /idle connections/, may: ['right', 'uncertain', 'refused'] },

  // A write names its record whole, and one record; a beginning is enough to read.
  { shape: /beginning is typed/, does: ['update', 'delete'], may: ['refused'] },
  { shape: /beginning is typed/, command: /--from/, may: ['refused'] },
  {
    shape: /ids of others/,
    command: /^((?!--id).)*$/,
    does: [...writes, 'get', 'download'],
    may: ['refused'],
  },
  // Nobody knows whom else an id may mean, where the list is not understood: --id says that it is one.
  {
    shape: /(numbers as text|too early)/,
    command: /^((?!--id).)*$/,
    does: ['update', 'delete'],
    may: ['refused'],
  },
  { shape: /(deeper|numbers as text)/, command: /^documents delete/, may: ['refused'] },
  { shape: /changes whenever/, does: ['update', 'delete'], may: ['right', 'refused'] },

  // The layout of lists and of single records is not shown: what is not recognised may be refused, never cut.
  { shape: /deeper/, does: ['update'], may: ['refused'] },
  { shape: /deeper/, command: /--from/, may: ['refused'] },
  { shape: /deeper/, does: ['list', 'export', 'get', 'download', 'status'], may: ['right', 'refused'] },
  {
    shape: /(deeper|numbers as text|late|hides new|shortened|too early)/,
    command: /--find/,
    may: ['right', 'told'],
  },
  { shape: /too early/, does: ['list', 'export'], may: ['refused'] },

  // What left as lines cannot be taken back, so the list is not begun again; what has one page does not change.
  {
    shape: /changes whenever/,
    command: /^(timesheets (?!import)|documents|payment-rates|vat-codes)/,
    may: ['right'],
  },
  { shape: /changes whenever/, does: ['list', 'import'], may: ['refused'] },
  { shape: /changes (once|whenever)/, does: ['export'], may: ['refused'] },
  { shape: /changes whenever/, command: /--uk .*--find/, may: ['told'] },
  { shape: /deeper/, command: /^(timesheets|documents) create/, may: ['right', 'told', 'uncertain'] },

  // What may be hidden is not sent back without a word of its own.
  { shape: /hidden/, does: ['update'], may: ['refused'] },
  // Asterisks are no account number.
  { shape: /masked/, does: ['update'], may: ['refused'] },
  { shape: /masked/, does: ['export'], may: ['told', 'refused'] },

  // interface.md: "Success responses carry success: true in the envelope."
  { shape: /^200 .* it was done/, does: writes, may: ['uncertain', 'told', 'right'] },
  { shape: /^200 .* it was done/, does: ['raw write'], may: ['uncertain', 'told', 'right'] },
  { shape: /^200 /, does: writes, may: ['refused', 'uncertain'] },
  { shape: /^200 /, does: ['raw write'], may: ['told', 'refused', 'uncertain'] },
  { shape: /^200 /, does: ['raw read', 'status'], may: ['right', 'refused'] },
  { shape: /^200 /, command: /^auth token/, may: ['refused', 'uncertain'] },
  { shape: /^200 /, may: ['refused'] },
  { shape: /^202 /, does: writes, may: ['uncertain'] },
  { shape: /^202 /, does: ['raw write'], may: ['told', 'uncertain'] },

  { shape: /another record than/, does: raw, may: ['right'] },
  { shape: /another record than/, command: /--from/, may: ['refused'] },
  { shape: /another record than/, does: ['create'], may: ['right', 'uncertain', 'told'] },
  { shape: /another record than/, does: ['get', 'download', 'update'], may: ['refused'] },
  { shape: /lands on another/, does: ['update'], may: ['uncertain'] },
  { shape: /changes nothing/, does: ['update'], may: ['uncertain', 'refused'] },
  { shape: /(lands on another|changes nothing)/, does: ['raw write'], may: ['told', 'uncertain'] },

  { shape: /without its bank/, does: ['update'], may: ['refused'] },
  { shape: /without its bank/, does: ['export'], may: ['told', 'refused'] },
  { shape: /hides/, command: /^candidates (update|export)/, may: ['told', 'refused'] },

  // `api` sends what it is told, so it cannot know an ETag.
  { shape: /^ETags/, does: ['raw write'], may: ['refused', 'uncertain'] },
  { shape: /colleague/, may: ['refused', 'uncertain', 'right'] },

  // interface.md: totalDocs is an integer, and annualSalary a number.
  { shape: /numbers as text/, does: lists, may: ['right', 'told', 'refused'] },
  { shape: /numbers as text/, command: /--from/, may: ['right', 'refused'] },

  // No request has costCentre: it is left out, and that is said.
  { command: /^candidates export/, may: ['right', 'told'] },
]

export function allowed(
  shape: Shape,
  tried: { readonly command: string; readonly does: Does },
): readonly Verdict[] {
  const line = lines.find(
    ({ shape: name = /./, command = /./, does }) =>
      name.test(shape.name) &&
      command.test(tried.command) &&
      (does === undefined || does.includes(tried.does)),
  )
  return line?.may ?? ['right']
}
