import { candidatesByVariant, operations } from '../../api/contract/operations/operations.ts'
import { variantTargets } from '../kit/declare/target.ts'
import type { Resource, Verb } from '../kit/declare/verb.ts'
import { withReference } from '../kit/lookup/with-reference.ts'

const { list } = variantTargets(candidatesByVariant)

/** One operation for all countries: only the id of the person is taken, and an id that was right is not tried again. */
const target = operations.candidates.get

/** The verbs of a resource, each of which takes for --employee what `candidates get` takes for an id. */
export function byPerson(resource: Resource): Resource {
  if ('run' in resource) return withPerson(resource)
  return { ...resource, verbs: resource.verbs.map((verb) => ('run' in verb ? withPerson(verb) : verb)) }
}

function withPerson(verb: Verb): Verb {
  return {
    ...verb,
    run(context, input) {
      const { employee: id } = input.options
      if (id === undefined) return verb.run(context, input)
      return withReference(context, { target, list, id, options: {}, anyCountry: true }, (employee) =>
        verb.run(context, { ...input, options: { ...input.options, employee } }),
      )
    },
  }
}
