/** One way to answer a record: which section stands where. */
export interface Mixture {
  readonly names: string
  /** For each section of the request, the names that lead to it in the answer; none for the top. */
  readonly at: Readonly<Record<string, readonly string[]>>
  readonly answer: any
}

const places = {
  generalSetting: [[], ['generalSetting']],
  bankSetting: [['bank'], ['bankSetting']],
  payrollSetting: [['setting'], ['payrollSetting']],
  'generalSetting.pensionSetting': [['pensionSetting'], ['generalSetting', 'pensionSetting']],
} as const

/** A request as a service could answer it, under every mixture of the names of its sections. */
export function mixSections({
  generalSetting: { pensionSetting, ...generalSetting },
  ...others
}: any): Mixture[] {
  const content: Record<string, object> = {
    generalSetting,
    ...others,
    'generalSetting.pensionSetting': pensionSetting,
  }
  return Object.entries(places)
    .reduce<Mixture['at'][]>(
      (all, [section, choices]) => all.flatMap((at) => choices.map((path) => ({ ...at, [section]: path }))),
      [{}],
    )
    .map((at) => ({
      names: Object.values(at)
        .map((path) => path.join('.') || 'the general fields at the top')
        .join(', '),
      at,
      answer: Object.entries(at).reduce((answer, [section, path]) => put(answer, path, content[section]), {}),
    }))
}

function put(into: any, [head, ...rest]: readonly string[], value: any): any {
  if (head === undefined) return { ...into, ...value }
  return { ...into, [head]: put(into[head] ?? {}, rest, value) }
}
