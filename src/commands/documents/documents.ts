import { statSync } from 'node:fs'
import { usage } from '../../errors.ts'
import { operations } from '../../model/operations/operations.ts'
import { countryOptions } from '../cli/record-types.ts'
import type { DeleteVerb } from '../cli/resource-verbs.ts'
import { candidateTargets } from '../cli/target.ts'
import type { Resource, Verb } from '../cli/verb.ts'
import { mustAsk } from '../kit/confirm.ts'
import { withRecord } from '../kit/find/named-record.ts'
import { personArgument } from '../kit/list/list.ts'
import { resource } from '../kit/resource.ts'

/** What is refused before the person is looked for. */
const checks: Readonly<Partial<Record<string, Verb['run']>>> = {
  async get(context, { options }) {
    if (options.out !== undefined) (await import('./download.ts')).assertPlace(context, options)
  },
  async delete(context, { arguments: { id = '' } }) {
    await mustAsk(context, `delete the document ${id}`, 'always')
  },
}

function withPerson(verb: Verb): Verb {
  const { writes = false } = verb
  return {
    ...verb,
    async run(context, input) {
      const { employee: typed } = input.options
      if (typed === undefined) return verb.run(context, input)
      const check = checks[verb.name]
      if (check) await check(context, input)
      else if (writes && !input.options.dryRun) await mustAsk(context, `${verb.name} a document`)
      // --id and --reference are about the document, not the person. One `get` will do for all countries: only the id is used.
      const person = {
        target: operations.candidates.get,
        list: candidateTargets.list,
        typed,
        options: {},
        writes,
        mustBeListed: verb.name === 'create',
        option: '--employee',
      }
      return withRecord(context, person, ({ id: employee, name }) => {
        if (name !== employee) context.writes.names.set(employee, name)
        return verb.run(context, { ...input, options: { ...input.options, employee } })
      })
    },
  }
}

const { create, list, get, update, delete: remove } = operations.documents

const describeDocument: DeleteVerb['describe'] = async (context, id, options) =>
  (await import('./describe-document.ts')).describeDocument(context, id, options)

const common = resource({
  create: {
    operation: create,
    isRenamed: true,
    options: ['upload'],
    from: async (context, options) => (await import('./upload.ts')).readUpload(context, options),
    describe: async (context, body, options) =>
      (await import('./describe-document.ts')).describeUpload(context, body, options),
    asks: async (context) => (await import('./upload.ts')).askDocument(context),
    summary: 'Add a document to a person: upload a file, or send JSON',
    examples: [
      'payroll documents create SANDBOX-UK-01 passport.pdf',
      'payroll documents create SANDBOX-UK-01    # asks for the file',
      'payroll documents create --employee 4f1c… --upload scan.png --set description="Passport"',
    ],
  },
  list: {
    operation: list,
    summary: 'List documents: those of everybody, or of one person',
    examples: [
      'payroll documents list SANDBOX-UK-01',
      'payroll documents list --employee 4f1c…',
      'payroll documents list --where "documentExpiryDate<=2026-12-31" --sort documentExpiryDate',
      'payroll documents list --out documents.xlsx',
    ],
  },
  get: {
    operation: get,
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
      const { download, documentSummary: summaryOf } = await import('./download.ts')
      if (out === undefined) return summaryOf(context, record)
      return download(context, get, record, { out, force })
    },
  },
  update: {
    operation: update,
    get,
    describe: describeDocument,
    summary: 'Change a document: reads it, makes your changes, sends it back',
    examples: ['payroll documents update 9a3f… --employee 4f1c… --set description="Passport, page 2"'],
  },
  delete: {
    operation: remove,
    get,
    noun: 'the document',
    describe: describeDocument,
    summary: "Delete one of a person's documents",
    examples: ['payroll documents delete 9a3f… --employee 4f1c… --yes'],
  },
})

const verbs = common.verbs.map((verb) => {
  if (!('run' in verb)) return verb
  const ofPerson = withPerson(verb)
  return verb.name === 'list'
    ? listOfEverybody(ofPerson)
    : verb.name === 'create'
      ? withFile(ofPerson)
      : ofPerson
})

/** `create <person> <file>`, as people type it; --employee and --upload say the same. */
function withFile(verb: Verb): Verb {
  return {
    ...verb,
    arguments: [
      { name: 'person', summary: 'whose it is, by the id or the reference', optional: true },
      { name: 'file', summary: 'the file to upload', optional: true },
    ],
    async run(context, input) {
      const { person, file } = input.arguments
      const { employee = person, upload = file } = input.options
      if (person !== undefined && employee !== person)
        throw usage('--employee cannot be combined with a person: both say whose document this is.')
      if (file !== undefined && upload !== file)
        throw usage('--upload cannot be combined with a file: both say what is uploaded.')
      if (employee === undefined) throw usage('Whose document is it? Name the person, and then the file.')
      // --employee says that it is a person, whatever files there are.
      if (
        person !== undefined &&
        upload === undefined &&
        statSync(person, { throwIfNoEntry: false })?.isFile()
      )
        throw usage(
          `${person} is a file. The person comes first, and then the file.`,
          'To upload it: payroll documents create <person> <file>',
        )
      return verb.run(context, {
        ...input,
        options: { ...input.options, employee, ...(upload !== undefined && { upload }) },
      })
    },
  }
}

/** `list`: the documents of a named person, or of everybody. */
function listOfEverybody(listOfOne: Verb): Verb {
  return {
    ...listOfOne,
    arguments: [personArgument],
    options: [...countryOptions, ...(listOfOne.options ?? [])],
    // Without a country, the people of all are looked at.
    namesCountry: true,
    notes: [
      "Without a person, the documents of everybody are listed: those that were uploaded, and the one that each record names as the right to work, with the day on which it expires. The service has no list of everybody's, so one is read for each person, 8 at a time.",
      ...(listOfOne.notes ?? []),
    ],
    run: async (context, input) => (await import('./list.ts')).listDocuments(context, input, listOfOne),
  }
}

const exportDocuments: Verb = {
  name: 'export',
  mayBePartial: true,
  summary: 'Write the documents of everybody, or of one person, into a folder',
  arguments: [personArgument],
  options: [...countryOptions, 'out'],
  optionTexts: { out: 'write into this folder' },
  namesCountry: true,
  ownFile: true,
  notes: [
    'Each person has a folder in it, named by the reference and the name. manifest.csv says of each file whose it is, its size and its SHA-256. What is there already is left as it is: only documents that are new, or that the service shows as changed by their size or time, are read. Files are readable by you alone.',
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
  run: async (context, { words = [], options }) =>
    (await import('./export.ts')).exportDocuments(context, words, options),
}

export const documents: Resource = {
  verbs: [...verbs, exportDocuments],
  answers: async (words) => {
    const answer = await common.answers(words)
    const more =
      words === 'list'
        ? (await import('./list.ts')).ofEverybody
        : words === 'get'
          ? (await import('./download.ts')).savedShape
          : undefined
    return answer && more ? { ...answer, shapes: [...(answer.shapes ?? []), more] } : answer
  },
}
