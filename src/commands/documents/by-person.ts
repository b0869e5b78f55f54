import { candidatesByVariant } from '../../api/contract/operations/operations.ts'
import { Failure } from '../../errors.ts'
import { variantTargets } from '../kit/declare/target.ts'
import type { Resource, Verb } from '../kit/declare/verb.ts'

const { get, list } = variantTargets(candidatesByVariant)

/** The verbs of a resource, each of which takes for --employee what `candidates get` takes for an id. */
export function byPerson(resource: Resource): Resource {
  if ('run' in resource) return withPerson(resource)
  return { ...resource, verbs: resource.verbs.map((verb) => ('run' in verb ? withPerson(verb) : verb)) }
}

/**
 * The id is tried first. Where the service answers 404, so that nothing was done, --employee is looked up as the
 * beginning of an id or as a reference in the lists of all countries, and the verb is run again with the one match.
 */
function withPerson(verb: Verb): Verb {
  return {
    ...verb,
    async run(context, input) {
      try {
        return await verb.run(context, input)
      } catch (error) {
        const { employee } = input.options
        if (!(error instanceof Failure) || error.details.status !== 404 || employee === undefined) throw error
        const { findReferred } = await import('../kit/lookup/find-referred.ts')
        const person = { target: get, list, id: employee, options: {}, anyCountry: true }
        const found = await findReferred(context, person, list)
        if (!found) throw error
        return verb.run(context, { ...input, options: { ...input.options, employee: found.id } })
      }
    },
  }
}
