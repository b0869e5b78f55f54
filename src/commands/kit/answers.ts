import { importFields } from '../../import/row-fates.ts'
import { answerType } from '../../model/records/operation.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import type { CreateVerb, ExportVerb, GetVerb, ListVerb, UpdateVerb } from '../cli/resource-verbs.ts'
import { operationsOf, type Target } from '../cli/target.ts'
import type { Shape, VerbAnswer } from '../cli/verb.ts'
import { deletedDraftFields, draftFields, notSentFields } from './create/describe-draft.ts'
import { createdFields } from './create/send-create.ts'
import { dryRunFields } from './dry-run.ts'
import { plannedForms } from './import/dry-run-data.ts'
import { resolvedFields, unknownRowFields } from './import/resolve.ts'
import { sumFields } from './list/sum.ts'
import { changedFields, updatedFields } from './update/update.ts'

/** What the verbs of a resource print. */
export const answers = {
  create({ operation, find, list }: CreateVerb): VerbAnswer {
    const searchTarget = find && list
    const records = [...new Set([...answerTypesOf(operation), ...answerTypesOf(searchTarget)])]
    return jsonAnswer(
      { records },
      { about: 'Where the service does not return the record.', fields: createdFields },
      { with: '--dry-run', fields: dryRunFields },
      { about: 'For a form that was not sent.', fields: notSentFields },
    )
  },
  list: ({ operation, sums }: ListVerb) =>
    jsonAnswer(
      { list: true, records: answerTypesOf(operation) },
      ...(sums ? [{ with: '--sum', list: true as const, fields: sumFields }] : []),
    ),
  get: ({ operation }: GetVerb) => jsonAnswer({ records: answerTypesOf(operation) }),
  update: ({ operation }: UpdateVerb) =>
    jsonAnswer(
      { records: answerTypesOf(operation) },
      { about: 'Where the service does not show the record afterwards.', fields: updatedFields },
      { with: '--changes', fields: changedFields },
      { with: '--dry-run', fields: dryRunFields },
    ),
  export({ create, list }: ExportVerb): VerbAnswer {
    const requests = (create ? operationsOf(create) : []).flatMap(({ requestRecord }) => requestRecord ?? [])
    const records: Shape =
      requests.length > 0 ? { records: requests, sent: true } : { records: answerTypesOf(list) }
    return { prints: 'csv', shapes: [{ with: '-o json', list: true, ...records }] }
  },
  import: jsonAnswer(
    { fields: importFields },
    ...plannedForms.map((fields) => ({ with: '--dry-run', fields })),
  ),
  resolve: jsonAnswer({ list: true, fields: unknownRowFields }, { with: '--row', fields: resolvedFields }),
  drafts: jsonAnswer({ list: true, fields: draftFields }),
  deletedDraft: jsonAnswer({ fields: deletedDraftFields }),
}

function jsonAnswer(...shapes: readonly Shape[]): VerbAnswer {
  return { prints: 'json', shapes }
}

function answerTypesOf(target: Target | undefined): readonly RecordType[] {
  return [
    ...new Set((target ? operationsOf(target) : []).flatMap((operation) => answerType(operation) ?? [])),
  ]
}
