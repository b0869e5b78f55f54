import { resultFields } from '../../import/results.ts'
import { importFields } from '../../import/row-fates.ts'
import { answerType } from '../../model/operations/operation.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import type { ResourceDeclaration } from '../cli/resource-verbs.ts'
import { operationsOf, type Target } from '../cli/target.ts'
import type { Shape, VerbAnswer } from '../cli/verb.ts'
import { createdFields } from './create/create-send.ts'
import { deletedDraftFields, draftFields, notSentFields } from './create/describe-draft.ts'
import { dryRunFields } from './dry-run.ts'
import { plannedForms } from './import/dry-run-data.ts'
import { resolvedFields, unknownRowFields } from './import/resolve.ts'
import { sumFields } from './list/sum.ts'
import { changedFields, updatedFields } from './update/update.ts'

/** What a command prints; undefined for words that are not declared here. `words` follow the noun: `import results`. */
export function answerOf(words: string, declared: ResourceDeclaration): VerbAnswer | undefined {
  return Object.hasOwn(answers, words) ? answers[words]?.(declared) : undefined
}

const answers: Readonly<Record<string, (declared: ResourceDeclaration) => VerbAnswer>> = {
  create: answerOfCreate,
  list: ({ list }) =>
    jsonAnswer(
      { list: true, records: answerTypesOf(list?.operation) },
      ...(list?.sums ? [{ with: '--sum', list: true as const, fields: sumFields }] : []),
    ),
  get: ({ get }) => jsonAnswer({ records: answerTypesOf(get?.operation) }),
  update: ({ update }) =>
    jsonAnswer(
      { records: answerTypesOf(update?.operation) },
      { about: 'Where the service does not show the record afterwards.', fields: updatedFields },
      { with: '--changes', fields: changedFields },
      { with: '--dry-run', fields: dryRunFields },
    ),
  export: ({ export: exported }) => {
    const requests = (exported?.create ? operationsOf(exported.create) : []).flatMap(
      ({ requestRecord }) => requestRecord ?? [],
    )
    const records: Shape =
      requests.length > 0 ? { records: requests, sent: true } : { records: answerTypesOf(exported?.list) }
    return { prints: 'csv', shapes: [{ with: '-o json', list: true, ...records }] }
  },
  import: () =>
    jsonAnswer({ fields: importFields }, ...plannedForms.map((fields) => ({ with: '--dry-run', fields }))),
  'import results': () =>
    jsonAnswer({
      list: true,
      about: 'A row of the file as it stands in it, and:',
      fields: resultFields,
      open: true,
    }),
  'import resolve': () =>
    jsonAnswer({ list: true, fields: unknownRowFields }, { with: '--row', fields: resolvedFields }),
  'drafts list': () => jsonAnswer({ list: true, fields: draftFields }),
  'drafts delete': () => jsonAnswer({ fields: deletedDraftFields }),
}

const jsonAnswer = (...shapes: readonly Shape[]): VerbAnswer => ({ prints: 'json', shapes })

function answerOfCreate({ create, list }: ResourceDeclaration): VerbAnswer {
  const found = create?.find && list?.operation
  const records = [...new Set([...answerTypesOf(create?.operation), ...answerTypesOf(found)])]
  return jsonAnswer(
    { records },
    { about: 'Where the service does not return the record.', fields: createdFields },
    { with: '--dry-run', fields: dryRunFields },
    { about: 'For a form that was not sent.', fields: notSentFields },
  )
}

function answerTypesOf(target: Target | undefined): readonly RecordType[] {
  return [
    ...new Set((target ? operationsOf(target) : []).flatMap((operation) => answerType(operation) ?? [])),
  ]
}
