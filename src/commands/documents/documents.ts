import { operations } from '../../api/contract/operations/operations.ts'
import { resource } from '../kit/resource.ts'
import { byPerson } from './by-person.ts'

const { create, list, get, update, delete: remove } = operations.documents

export const documents = byPerson(
  resource({
    create: {
      operation: create,
      options: ['upload'],
      from: async (context, options) => (await import('./upload.ts')).uploaded(context, options),
      asks: async (context) => (await import('./ask-document.ts')).askDocument(context),
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
      summary: 'Show one document; with --out save it to a file or into a folder',
      examples: [
        'payroll documents get 9a3f… --employee 4f1c…',
        'payroll documents get 9a3f… --employee 4f1c… --out payslip.pdf',
        'payroll documents get 9a3f… --employee 4f1c… --out downloads/ --force',
      ],
      options: ['out', 'force'],
      async afterwards(context, record, { out, force = false }) {
        if (out === undefined) return record
        const { download } = await import('./download.ts')
        return download(context, get, record, { out, force })
      },
    },
    update: {
      operation: update,
      reads: get,
      summary: 'Change a document: reads it, makes your changes, sends it back',
      examples: ['payroll documents update 9a3f… --employee 4f1c… --set description="Passport, page 2"'],
    },
    delete: {
      operation: remove,
      noun: 'the document',
      describe: async (context, id, options) =>
        (await import('./describe-document.ts')).describeDocument(context, id, options),
      summary: "Delete one of a person's documents",
      examples: ['payroll documents delete 9a3f… --employee 4f1c… --yes'],
    },
  }),
)
