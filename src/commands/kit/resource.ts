import { type CreateVerb, create } from './create/create.ts'
import type { Resource } from './declare/register.ts'
import type { Verb } from './declare/verb.ts'
import { type DeleteVerb, remove } from './delete.ts'
import { draftsOf } from './drafts/drafts-verbs.ts'
import { type ExportVerb, exportVerb } from './export.ts'
import { type GetVerb, get } from './get.ts'
import { type ListVerb, list } from './list.ts'
import { type UpdateVerb, update } from './update/update.ts'

interface ResourceDeclaration {
  readonly create?: CreateVerb
  readonly list?: ListVerb
  readonly get?: GetVerb
  readonly update?: UpdateVerb
  readonly delete?: DeleteVerb
  readonly export?: ExportVerb
  /** What only this resource can do. */
  readonly also?: readonly Verb[]
}

/** A resource of the service: a verb is data, and the kit does the rest. */
export function resource(declared: ResourceDeclaration): Resource {
  const verbs = [
    declared.create && create(declared.create),
    declared.list && list(declared.list),
    declared.get && get(declared.get),
    declared.update && update(declared.update),
    declared.delete && remove(declared.delete),
    declared.export && exportVerb(declared.export),
  ]
  return {
    verbs: [
      ...verbs.filter((verb) => verb !== undefined),
      ...(declared.also ?? []),
      // What a form begins, its drafts take up again.
      ...(declared.create ? [draftsOf(declared.create)] : []),
    ],
  }
}
