import { readingOptions, readTitles } from '../../files/table/read-formats.ts'
import { exportFormats } from '../../render/formats.ts'
import { type OptionName, standardInputNote } from '../cli/options.ts'
import {
  type CreateVerb,
  type ExportVerb,
  guardOptions,
  type ImportVerb,
  named,
  parameterOptions,
  type ResourceDeclaration,
  safetyOptions,
  type UpdateVerb,
  when,
} from '../cli/resource-verbs.ts'
import { countryOptionsOf, nounOf, operationsOf } from '../cli/target.ts'
import { idArgument, referenceNotes, type Verb, type VerbGroup } from '../cli/verb.ts'
import { draftsOf } from './drafts.ts'
import { get } from './get.ts'
import { list, personArgument } from './list/list.ts'

/** Makes the verbs of a resource from its declaration. A command can add verbs of its own. */
export function resource(declaration: ResourceDeclaration): {
  readonly verbs: readonly (Verb | VerbGroup)[]
} {
  const listTarget = { list: declaration.list?.operation }
  const rows = declaration.import
  const people = rows && isAboutPeople(rows) ? rows.kind : undefined
  const workKind = declaration.create?.workKind
  const changes = declaration.update && { ...declaration.update, ...listTarget, people, workKind }
  const verbs = [
    declaration.create &&
      create({ ...completeCreate(declaration.create, declaration), ...listTarget, people }),
    declaration.list && list(declaration.list),
    declaration.get && get({ ...declaration.get, ...listTarget }),
    changes && update(changes),
    declaration.export && exportVerb(declaration.export),
    // An import changes records in the same way as `update`.
    declaration.import && importVerb({ ...declaration.import, changes }),
    declaration.create && draftsOf(declaration.create.operation),
  ]
  return { verbs: verbs.filter((verb) => verb !== undefined) }
}

const isAboutPeople = ({ kind }: ImportVerb) => kind.identityFields.length > 0

/** A create verb with what `import` and `get` say: which fields tell records apart, and how one is read. */
const completeCreate = (
  verb: CreateVerb,
  { import: rows, get: getVerb }: ResourceDeclaration,
): CreateVerb => ({
  ...verb,
  claims: rows?.kind.key.request,
  get: getVerb?.operation,
})

const samePersonNote =
  'A record with an NI or PPS number, an account, an email or a telephone number is compared with the people of the list of its country before it is sent: the list is read once, or only its first page where that shows none of these. Somebody alike under the same reference counts as the same person: a create that was stopped may have stored the record. With --same-person nothing is read.'

/** `create`: takes a record from the form, a file or a pipe, checks it, then shows or sends it. */
function create(verb: CreateVerb): Verb {
  const { operation, find, copies } = verb
  return {
    ...named('create', verb),
    answer: async () => (await import('./answers.ts')).answers.create(verb),
    writes: true,
    readsInput: 'record',
    optionTexts: {
      dryRun: `check the record, show the request, and send nothing; ${verb.unique ? 'only --unique reads the list' : 'the list is not read'}`,
    },
    notes: [...(verb.people ? [samePersonNote] : []), standardInputNote(...(copies ? ['--from'] : []))],
    // A getter: which options there are depends on the fields, which `list` does not load.
    get options(): readonly OptionName[] {
      return [
        ...countryOptionsOf(operation),
        'file',
        ...when(copies, 'from'),
        'set',
        'setRaw',
        'unset',
        'dryRun',
        'mask',
        ...when(find, 'find'),
        ...safetyOptions(verb),
      ]
    },
    // Loaded here, because a list does not need what creating needs.
    run: async (context, { options }) =>
      (await import('./create/create.ts')).runCreate(context, verb, options),
  }
}

/** `update <id>`: reads the record, applies the change, shows the difference, and loses no field silently. */
export function update(verb: UpdateVerb): Verb {
  const { operation, list } = verb
  return {
    ...named('update', verb),
    answer: async () => (await import('./answers.ts')).answers.update(verb),
    writes: true,
    readsInput: 'record',
    notes: [
      'At a terminal and without an option that says what to change, a form opens: it asks which part, and shows old and new before anything is sent.',
      standardInputNote('--edit'),
      ...(list ? referenceNotes : []),
    ],
    arguments: [idArgument],
    // A getter: which options there are depends on the fields, which `list` does not load.
    get options(): readonly OptionName[] {
      return [
        ...countryOptionsOf(operation),
        ...parameterOptions(operation),
        'id',
        'reference',
        'file',
        'set',
        'setRaw',
        'unset',
        'edit',
        'dryRun',
        'changes',
        ...guardOptions(operation),
        'allowMissing',
        ...when(verb.people, 'samePerson'),
        'mask',
      ]
    },
    run: async (context, { arguments: { id = '' }, options }) =>
      (await import('./update/update.ts')).runUpdate(
        { context, writer: 'update', verb, options, said: new Set() },
        id,
      ),
  }
}

const knownById = [
  '--since-last remembers the ids that it has exported. A record that is corrected later keeps its id, so it is not exported again.',
  'If you need corrections too, export everything, without --since-last.',
  'The file of --out is written again by each run: take it away before the next one, or give each a name of its own, such as --out "new-$(date +%F).csv". Where nothing is new, a file with records stays as it is, and that is exit 10: so what uses the file next does not use it twice.',
]

const exportFormatNote = `The format is that of -o: ${exportFormats.join(', ')}; else that of the ending of --out; else csv.`

/** `export`: every record of a list, for a spreadsheet or for another program. */
function exportVerb(verb: ExportVerb): Verb {
  const { list, hasSinceLast, whoseItem } = verb
  const exportOptions: readonly OptionName[] = hasSinceLast ? ['sinceLast', 'expectMin'] : ['expectMin']
  return {
    ...named('export', verb),
    answer: async () => (await import('./answers.ts')).answers.export(verb),
    notes: [exportFormatNote, ...(hasSinceLast ? knownById : [])],
    options: [...countryOptionsOf(list), ...parameterOptions(list), 'out', ...exportOptions],
    arguments: whoseItem && [personArgument],
    encodesOutput: true,
    run: async (context, { options, arguments: { person } }) =>
      (await import('./export/export.ts')).exportAll(context, verb, options, person),
  }
}

/** `import <file>`: every row created once, however often the run is interrupted and started again. */
function importVerb(verb: ImportVerb): Verb {
  const { operation } = verb
  return {
    ...named('import', verb),
    answer: async () => (await import('./answers.ts')).answers.import,
    mayBePartial: true,
    writes: true,
    readsInput: 'rows',
    arguments: [{ name: 'file', summary: `one record per row: ${readTitles}; - is standard input` }],
    // A getter: which options there are depends on the fields, which `list` does not load.
    get options(): readonly OptionName[] {
      return [
        ...countryOptionsOf(operation),
        'dryRun',
        ...when(verb.changes, 'update', 'plan', 'asPlanned', 'allowMissing'),
        ...when(verb.changes && isAboutPeople(verb), 'bank'),
        'readyOnly',
        'results',
        ...readingOptions,
        'settle',
        'concurrency',
        'rejects',
        ...guardOptions(operation),
        ...when(isAboutPeople(verb), 'samePerson'),
        ...when(verb.kind.days, 'overlapping'),
        ...(verb.sheet?.options ?? []),
        ...when(verb.changes && verb.kind.days, 'missingLines'),
      ]
    },
    verbs: [resolveVerb(verb)],
    run: async (context, { arguments: { file = '' }, options }) =>
      (await import('./import/import.ts')).importFile(context, verb, file, options),
  }
}

/** `import resolve <file>`: what a person found out about a row whose outcome is unknown. */
function resolveVerb(verb: ImportVerb): Verb {
  const { operation } = verb
  const [first] = operationsOf(operation)
  const command = `payroll ${first ? nounOf(first) : ''} import resolve ${verb.file}`
  const [samePerson, orNumber] = isAboutPeople(verb)
    ? [', and be the same person', ', NI or PPS number']
    : ['', '']
  return {
    name: 'resolve',
    localEffect: 'noted',
    answer: async () => (await import('./answers.ts')).answers.resolve,
    readsInput: 'rows',
    summary: 'List the rows of an import whose outcome is unknown, or say what became of one',
    examples: [command, `${command} --row 2 --leave`],
    notes: [
      `Look at the service first. With --created the record is read and compared with the row: it must have its reference${samePerson}. With --send-again the list is read: a row whose reference${orNumber} is there is refused. Nothing is sent.`,
      'What you say is written in the journal of the import on this computer, with your user name and the time. The next import of the file goes by it.',
      'To import a file that is called resolve, type ./resolve.',
    ],
    arguments: [
      { name: 'file', summary: 'the file, as it was imported; - is the same rows on standard input' },
    ],
    options: [
      'row',
      'created',
      'sendAgain',
      'leave',
      'settle',
      ...countryOptionsOf(operation),
      ...readingOptions,
    ],
    run: async (context, { arguments: { file: path = '' }, ...input }) =>
      (await import('./import/resolve.ts')).importResolve(context, verb, path, input.options),
  }
}
