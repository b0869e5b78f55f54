import { operations } from '../../model/resources/operations.ts'
import { standardInputNote } from '../cli/options.ts'
import { countryOptions } from '../cli/record-types.ts'
import { answerOf, idArgument, namingNote, type Resource, type Shape, type Verb } from '../cli/verb.ts'
import { mustAsk } from '../kit/confirm.ts'
import { get as getVerb } from '../kit/get.ts'
import { list as listVerb, personArgument } from '../kit/list/list.ts'
import { update as updateVerb } from '../kit/resource.ts'
import { describeDocument, withPerson } from './with-person.ts'

const { documents: service } = operations

/** The verb, for the person whom --employee names. `check`: what is refused before the person is looked for. */
function ofPerson(verb: Verb, check?: Verb['run']): Verb {
  const writes = verb.writes !== undefined
  return {
    ...verb,
    async run(context, input) {
      if (input.options.employee !== undefined) await check?.(context, input)
      const { id: document } = input.arguments
      return withPerson(context, input.options, { writes, document }, (options) =>
        verb.run(context, { ...input, options }),
      )
    },
  }
}

const alsoAnswers = (verb: Verb, more: () => Promise<Shape>): Verb => ({
  ...verb,
  answer: async () => {
    const { prints, shapes = [] } = await answerOf(verb)
    return { prints, shapes: [...shapes, await more()] }
  },
})

const listOfOne = listVerb({
  operation: service.list,
  summary: 'List documents: those of everybody, or of one person',
  examples: [
    'payroll documents list SANDBOX-UK-01',
    'payroll documents list --employee 4f1c…',
    'payroll documents list --where "name~passport"',
    'payroll documents list --out documents.xlsx',
  ],
})

const list: Verb = {
  ...alsoAnswers(listOfOne, async () => (await import('./list.ts')).ofEverybody),
  arguments: [personArgument],
  options: [...countryOptions, ...(listOfOne.options ?? [])],
  // Without a country, the people of all are looked at.
  namesCountry: true,
  notes: [
    "Without a person, the documents of everybody are listed. The service has no list of everybody's, so one is read for each person, 8 at a time. Whose right to work expires: payroll check --only document-expires",
    namingNote,
    ...(listOfOne.notes ?? []),
  ],
  run: async (context, input) => (await import('./list.ts')).listDocuments(context, input, listOfOne),
}

const get = ofPerson(
  getVerb({
    operation: service.get,
    list: service.list,
    summary: 'Show one document; with --out save it to a file or into a folder, or - for standard output',
    examples: [
      'payroll documents get 9a3f… --employee 4f1c…',
      'payroll documents get 9a3f… --employee 4f1c… --out payslip.pdf',
      'payroll documents get 9a3f… --employee 4f1c… --out downloads/ --force',
      'payroll documents get 9a3f… --employee 4f1c… --out - | age -r age1… > passport.age',
    ],
    options: ['out', 'force'],
    optionTexts: { out: 'save the document to this file or into this folder; - is standard output' },
    async afterwards(context, record, { out, force = false }) {
      const { download, documentSummary: summaryOf } = await import('./get.ts')
      if (out === undefined) return summaryOf(context, record)
      return download(context, service.get, record, { out, force })
    },
  }),
  async (context, { options }) => {
    if (options.out !== undefined) (await import('./get.ts')).assertPlace(context, options)
  },
)

const update = ofPerson(
  updateVerb({
    operation: service.update,
    get: service.get,
    list: service.list,
    describe: describeDocument,
    summary: 'Change a document: reads it, makes your changes, sends it back',
    examples: ['payroll documents update 9a3f… --employee 4f1c… --set description="Passport, page 2"'],
  }),
  async (context, { options }) => {
    if (!options.dryRun) await mustAsk(context, 'update a document')
  },
)

const create: Verb = {
  name: 'create',
  writes: true,
  readsInput: 'record',
  notes: [standardInputNote('--upload')],
  arguments: [
    { name: 'person', summary: 'whose it is, by the id or your own reference', optional: true },
    { name: 'file', summary: 'the file to upload', optional: true },
  ],
  options: ['employee', 'upload', 'file', 'set', 'setRaw', 'unset', 'dryRun'],
  summary: 'Add a document to a person: upload a file, or send JSON',
  examples: [
    'payroll documents create SANDBOX-UK-01 passport.pdf',
    'payroll documents create SANDBOX-UK-01    # asks for the file',
    'payroll documents create --employee 4f1c… --upload scan.png --set description="Passport"',
  ],
  answer: async () => (await import('./create.ts')).createdAnswer,
  run: async (context, input) => (await import('./create.ts')).createDocument(context, input),
}

const remove: Verb = {
  name: 'delete',
  writes: true,
  deletes: true,
  arguments: [idArgument],
  options: ['employee', 'id', 'reference'],
  summary: "Delete one of a person's documents",
  examples: ['payroll documents delete 9a3f… --employee 4f1c… --yes'],
  answer: async () => ({
    prints: 'json',
    shapes: [{ fields: (await import('./delete.ts')).deletedFields }],
  }),
  run: async (context, { arguments: { id = '' }, options }) =>
    (await import('./delete.ts')).deleteDocument(context, id, options),
}

const exportDocuments: Verb = {
  name: 'export',
  mayBePartial: true,
  summary: 'Write the documents of everybody, or of one person, into a folder',
  arguments: [personArgument],
  options: [...countryOptions, 'out'],
  optionTexts: { out: 'write into this folder' },
  namesCountry: true,
  encodesOutput: true,
  notes: [
    'Each person has a folder in it, named by the reference and the name. manifest.csv says of each file whose it is, its size and its SHA-256. What is there already is left as it is: only documents that are new, or that the service shows as changed by their size or time, are read. What the service does not give is named, the rest is written (exit 9), and the next run asks for it again. Files are readable by you alone.',
  ],
  examples: [
    'payroll documents export --out documents',
    'payroll documents export SANDBOX-UK-02 --out documents',
    'payroll documents export --ireland --out irish-documents',
  ],
  answer: async () => ({
    prints: 'json',
    shapes: [{ fields: (await import('./export.ts')).exportedFields }],
  }),
  run: async (context, { arguments: { person }, options }) =>
    (await import('./export.ts')).exportDocuments(context, person, options),
}

export const documents: Resource = {
  verbs: [
    create,
    list,
    alsoAnswers(get, async () => (await import('./get.ts')).savedShape),
    update,
    remove,
    exportDocuments,
  ],
}
