import type { Context } from '../../../context/context.ts'
import { declined } from '../../../errors.ts'
import { type EmptyFields, readEmptyFields } from '../../../write/at-risk.ts'
import { commandLine } from '../command-line.ts'
import { openPrompts, serviceName } from '../open-prompts.ts'

const answers = new WeakMap<Context, EmptyFields>()

/** What an unknown field is, as the profile or the environment says. */
export async function emptyFieldsOf(context: Context): Promise<EmptyFields> {
  const { emptyFields: setting } = await context.profile()
  return answers.get(context) ?? (setting ? readEmptyFields(setting) : 'ask')
}

/** A hint with the command, or the variable, that sets it for good. */
export async function emptyFieldsHint(context: Context): Promise<string> {
  const { kind, name } = await context.profile()
  const how =
    kind === 'stored'
      ? await commandLine(context, 'profiles', 'set', name, '--empty-fields', 'left-out')
      : 'set PAYROLL_EMPTY_FIELDS=left-out'
  return `If your service leaves out fields that are empty, set that once: ${how}`
}

/** Asks what unknown fields are, and keeps the answer in the profile. `without`: a sentence that names them. */
export async function askEmptyFields(context: Context, without: string): Promise<EmptyFields> {
  const profile = await context.profile()
  context.warn(
    `${without}. Such fields are empty, or the service hides them; hidden ones may be emptied by this update.`,
  )
  const { choose } = await openPrompts(context)
  const answer = await choose<EmptyFields>({
    message: `Is a field empty that ${serviceName(profile)} does not show? Its own page of the record tells.`,
    choices: [
      { value: 'ask', name: 'I do not know: send nothing', codes: ['ask'] },
      { value: 'left-out', name: 'Yes, it is empty: go on, and do not ask again', codes: ['left-out'] },
      {
        value: 'hidden',
        name: 'No, it may be hidden: ask whenever pay depends on such a field',
        codes: ['hidden'],
      },
    ],
  })
  if (answer === 'ask') throw declined('Not sent. Find out what the missing field means, then run it again.')
  answers.set(context, answer)
  if (profile.kind !== 'stored') {
    context.note(`To keep this answer: PAYROLL_EMPTY_FIELDS=${answer}`)
    return answer
  }
  await context.changeProfile(profile.name, (keys) => ({
    ...keys,
    profile: { ...keys.profile, emptyFields: answer },
  }))
  context.note(
    `Kept in the profile ${profile.name}: payroll profiles set ${profile.name} --empty-fields ${answer}`,
  )
  return answer
}
