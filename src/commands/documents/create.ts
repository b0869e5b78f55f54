import { statSync } from 'node:fs'
import type { Context } from '../../context/context.ts'
import { usage } from '../../errors.ts'
import { operations } from '../../model/operations/operations.ts'
import { document } from '../../model/records/document.ts'
import { creationOf } from '../cli/create-request.ts'
import type { Options } from '../cli/options.ts'
import type { CreateRules } from '../cli/resource-verbs.ts'
import type { Input, VerbAnswer } from '../cli/verb.ts'
import { mustAsk } from '../kit/confirm.ts'
import { createGiven } from '../kit/create/create.ts'
import { createdFields } from '../kit/create/create-send.ts'
import { dryRunFields } from '../kit/dry-run.ts'
import { givenBody, wantsForm } from '../kit/input.ts'
import { describeUpload } from './describe-document.ts'
import { askDocument, readUpload } from './upload.ts'
import { withPerson } from './with-person.ts'

const { create, get, list } = operations.documents

/** The service may give a document another name. */
const rules: CreateRules = { operation: create, get, isRenamed: true, list }

/** What a create of a document prints. */
export const createdAnswer: VerbAnswer = {
  prints: 'json',
  shapes: [
    { records: [document] },
    { about: 'Where the service does not return the record.', fields: createdFields },
    { with: '--dry-run', fields: dryRunFields },
  ],
}

/** Uploads a file, or what was given as JSON; at a terminal it asks for the file. */
export async function createDocument(context: Context, { arguments: typed, options }: Input): Promise<void> {
  const named = namedBy(typed, options)
  if (!options.dryRun) await mustAsk(context, 'create a document')
  await withPerson(context, named, { writes: true, mustBeListed: true }, async (whose) => {
    const creation = creationOf(rules, whose)
    await context.client()
    const given = await readUpload(context, whose)
    const asked = given || !wantsForm(context, whose) ? undefined : await askDocument(context)
    const read = await givenBody(context, creation.type, whose, given ?? asked)
    await createGiven(context, creation, read, {
      when: asked && 'always',
      name: async () => describeUpload(context, read.body, whose),
    })
  })
}

/** The options, with `<person> <file>` as --employee and --upload. */
function namedBy({ person, file }: Input['arguments'], options: Options): Options {
  const { employee = person, upload = file } = options
  if (person !== undefined && employee !== person)
    throw usage('--employee cannot be combined with a person: both say whose document this is.')
  if (file !== undefined && upload !== file)
    throw usage('--upload cannot be combined with a file: both say what is uploaded.')
  if (employee === undefined) throw usage('Whose document is it? Name the person, and then the file.')
  // --employee says that it is a person, whatever files there are.
  if (person !== undefined && upload === undefined && statSync(person, { throwIfNoEntry: false })?.isFile())
    throw usage(
      `${person} is a file. The person comes first, and then the file.`,
      'To upload it: payroll documents create <person> <file>',
    )
  return { ...options, employee, ...(upload !== undefined && { upload }) }
}
