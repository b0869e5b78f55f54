import { candidatesByCountry, operations } from '../../api/contract/operations/operations.ts'
import type { DeleteVerb } from '../../cli/resource-verbs.ts'
import { countryTargets } from '../../cli/target.ts'
import type { Resource, Verb } from '../../cli/verb.ts'
import { mustAsk } from '../../verbs/confirm.ts'
import { resource } from '../../verbs/resource.ts'
import { withReference } from '../../verbs/with-reference.ts'

const { list: listOfPerson } = countryTargets(candidatesByCountry)

/** One operation for all countries: only the id of the person is taken, and an id that was right is not tried again. */
const target = operations.candidates.get

/** The verbs of a resource, each of which takes for --employee what `candidates get` takes for an id. */
function byPerson(resource: Resource): Resource {
  if ('run' in resource) return withPerson(resource)
  return { ...resource, verbs: resource.verbs.map((verb) => ('run' in verb ? withPerson(verb) : verb)) }
}

function withPerson(verb: Verb): Verb {
  const { writes = false } = verb
  return {
    ...verb,
    async run(context, input) {
      const { employee: id } = input.options
      if (id === undefined) return verb.run(context, input)
      // What is refused is refused before the person is looked for.
      if (verb.check) await verb.check(context, input)
      else if (writes && !input.options.dryRun) await mustAsk(context, `${verb.name} a document`)
      // --id and --reference speak of the document.
      const person = {
        target,
        list: listOfPerson,
        id,
        options: {},
        anyCountry: true,
        writes,
        mustBeListed: verb.name === 'create',
        option: '--employee',
      }
      return withReference(context, person, (employee) =>
        verb.run(context, { ...input, options: { ...input.options, employee } }),
      )
    },
  }
}

const { create, list, get, update, delete: remove } = operations.documents

const describe: DeleteVerb['describe'] = async (context, id, options) =>
  (await import('./describe-document.ts')).describeDocument(context, id, options)

export const documents = byPerson(
  resource({
    create: {
      operation: create,
      options: ['upload'],
      from: async (context, options) => (await import('./upload.ts')).uploaded(context, options),
      describe: async (context, body, options) =>
        (await import('./describe-document.ts')).describeUpload(context, body, options),
      asks: async (context) => (await import('./upload.ts')).askDocument(context),
      summary: 'Add a document to a person: upload a file, or send JSON',
      examples: [
        'payroll documents create --employee 4f1c…    # asks for the file',
        'payroll documents create --employee 4f1c… --upload passport.pdf',
        'payroll documents create --employee 4f1c… --upload scan.png --set description="Passport"',
      ],
    },
    list: {
      operation: list,
      summary: "List a person's documents",
      examples: ['payroll documents list --employee 4f1c…'],
    },
    get: {
      operation: get,
      summary:
        'Show one document, at a terminal without its content; with --out save it to a file or into a folder, or - for standard output',
      examples: [
        'payroll documents get 9a3f… --employee 4f1c…',
        'payroll documents get 9a3f… --employee 4f1c… --out payslip.pdf',
        'payroll documents get 9a3f… --employee 4f1c… --out downloads/ --force',
        'payroll documents get 9a3f… --employee 4f1c… --out - | age -r age1… > passport.age',
      ],
      options: ['out', 'force'],
      async check(context, options) {
        if (options.out !== undefined) (await import('./download.ts')).assertPlace(context, options)
      },
      async afterwards(context, record, { out, force = false }) {
        const { download, summaryOf } = await import('./download.ts')
        if (out === undefined) return summaryOf(context, record)
        return download(context, get, record, { out, force })
      },
    },
    update: {
      operation: update,
      reads: get,
      describe,
      summary: 'Change a document: reads it, makes your changes, sends it back',
      examples: ['payroll documents update 9a3f… --employee 4f1c… --set description="Passport, page 2"'],
    },
    delete: {
      operation: remove,
      reads: get,
      noun: 'the document',
      describe,
      summary: "Delete one of a person's documents",
      examples: ['payroll documents delete 9a3f… --employee 4f1c… --yes'],
    },
  }),
)
