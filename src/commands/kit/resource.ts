import { create } from './create/create.ts'
import type {
  CreateVerb,
  DeleteVerb,
  ExportVerb,
  FindVerb,
  GetVerb,
  ImportVerb,
  ListVerb,
  UpdateVerb,
} from './declare/resource-verbs.ts'
import type { Group, Verb } from './declare/verb.ts'
import { remove } from './delete.ts'
import { draftsOf } from './drafts-verbs.ts'
import { exportVerb } from './export/export-verb.ts'
import { find } from './find/find.ts'
import { get } from './get.ts'
import { importVerb } from './import/import-verb.ts'
import { list } from './list.ts'
import { update } from './update/update.ts'

interface ResourceDeclaration {
  readonly create?: CreateVerb
  readonly list?: ListVerb
  readonly find?: FindVerb
  readonly get?: GetVerb
  readonly update?: UpdateVerb
  readonly delete?: DeleteVerb
  readonly export?: ExportVerb
  readonly import?: ImportVerb
}

/** A resource of the service: a verb is data, and the kit does the rest. Verbs of its own can stand beside these. */
export function resource(declared: ResourceDeclaration): { readonly verbs: readonly (Verb | Group)[] } {
  const records = declared.list?.operation
  const verbs = [
    declared.create && create(withClaims(declared.create, declared.import), records),
    declared.list && list(declared.list),
    declared.find && find(declared.find),
    declared.get && get(declared.get, records),
    declared.update && update(declared.update, records),
    declared.delete && remove(declared.delete, records),
    declared.export && exportVerb(declared.export),
    declared.import && importVerb(declared.import),
    // A form can be continued from its draft.
    declared.create && draftsOf(declared.create, records),
  ]
  return { verbs: verbs.filter((verb) => verb !== undefined) }
}

/** What one record is claimed by is what a row of a file is. */
const withClaims = (verb: CreateVerb, rows: ImportVerb | undefined): CreateVerb =>
  rows ? { ...verb, claims: rows.kind.key.request } : verb
