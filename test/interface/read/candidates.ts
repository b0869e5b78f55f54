import { labelled, names, type Part, section, sentence, split, table } from './parse.ts'
import { braces, object, type Shape, type Shapes, shape, typedList, typeRows, unique } from './shape.ts'

/** What interface.md says of a candidate, sent and answered. */
export interface Candidates {
  readonly uk: Shapes
  readonly ireland: Shapes
  readonly answer: Shapes
  /** The line that shows the envelope, `{ data: { candidate: <object>, … } }`. */
  readonly envelope: string
  /** What is sent and does not come back, by the answer's object: `pensionSetting`, `setting`. */
  readonly notReturned: Readonly<Record<string, readonly string[]>>
  /** The request's name and the answer's: "`bank` … where the request uses `bankSetting`". */
  readonly renamed: readonly (readonly [sent: string, answered: string])[]
}

export function readCandidates(document: string): Candidates {
  const ukPart = section(document, 'UK candidate (request body of Create Candidate)')
  const irishPart = section(document, 'Ireland candidate (request body of Create Ireland candidate)')
  const answerPart = section(document, 'Ireland candidate (response of Create Ireland candidate)')

  const pensionSetting: Shape = {
    type: 'object',
    fields: typeRows(table(labelled(ukPart, 'pensionSetting'), 'Type', 'Fields'), {}),
  }
  const uk = {
    generalSetting: settings(labelled(ukPart, 'generalSetting'), { pensionSetting }),
    bankSetting: strings(labelled(ukPart, 'bankSetting')),
    payrollSetting: settings(labelled(ukPart, 'payrollSetting'), {
      openingBalance: numbers(ukPart, /^openingBalance \(numbers\): (.+)\.$/),
    }),
  }
  const openingBalance = numbers(irishPart, /^Ireland openingBalance \(numbers\): (.+)\.$/)
  const ireland = {
    generalSetting: irishGeneral(labelled(irishPart, 'generalSetting'), uk.generalSetting),
    bankSetting: irishBank(labelled(irishPart, 'bankSetting'), uk.bankSetting),
    payrollSetting: settings(labelled(irishPart, 'payrollSetting'), { openingBalance }),
  }

  const [pensionList = '', pensionLost = ''] = sentence(
    answerPart,
    /^- `pensionSetting` in the response: (.+?)\. It does not return (.+)\.$/,
  )
  const [bankList = ''] = sentence(answerPart, /^- `bank` in the response: (.+)\.$/)
  const setting = irishSetting(answerPart, ireland.payrollSetting)
  const answer = typeRows(table(answerPart, 'Type', 'Fields'), {
    pensionSetting: { type: 'object', fields: typedList(pensionList) },
    bank: { type: 'object', fields: typedList(bankList) },
    setting: setting.shape,
  })
  const [bank = '', payroll = '', bankSent = '', payrollSent = ''] = sentence(
    answerPart,
    /^- The response uses `(\w+)` and `(\w+)` where the request uses `(\w+)` and `(\w+)`\.$/,
  )
  return {
    uk: topLevel(ukPart, /^Three top-level objects: (.+)\.$/, uk),
    ireland: topLevel(irishPart, /^Top-level objects: (.+)\.$/, ireland),
    answer,
    envelope: sentence(answerPart, /^Envelope: `(.+)`\.$/)[0] ?? '',
    notReturned: { pensionSetting: names(pensionLost), setting: setting.lost },
    renamed: [
      [bankSent, bank],
      [payrollSent, payroll],
    ],
  }
}

function topLevel(part: Part, pattern: RegExp, objects: Shapes): Shapes {
  const [list = ''] = sentence(part, pattern)
  return unique(names(list).map((name) => [name, object(name, objects)]))
}

const settings = (part: Part, objects: Shapes): Shape => ({
  type: 'object',
  fields: typeRows(table(part, 'Type', 'Fields'), objects),
})

const numbers = (part: Part, pattern: RegExp): Shape => ({
  type: 'object',
  fields: typedList(`${sentence(part, pattern)[0]} (numbers)`),
})

const strings = (part: Part): Shape => ({
  type: 'object',
  fields: typedList(`${sentence(part, /: strings (.+)\.$/)[0]} (strings)`),
})

/** "the same fields as the UK one, with these differences: no …; added string …; added nullable …". */
function irishGeneral(part: Part, uk: Shape): Shape {
  const [differences = ''] = sentence(
    part,
    /has the same fields as the UK one, with these differences: (.+?)\./,
  )
  sentence(part, /The pensionSetting object is the same as the UK one\./)
  const fields: Record<string, Shape> = { ...uk.fields }
  for (const difference of split(differences, ';')) {
    const [, kind = '', list = ''] = /^(no|added \w+) (.+)$/.exec(difference) ?? []
    for (const name of names(list)) {
      if (kind === 'no' && !fields[name]) throw new Error(`${part.name}: no ${name} to leave out`)
      if (kind === 'no') delete fields[name]
      else fields[name] = shape(name, kind.replace('added ', ''))
    }
  }
  return { type: 'object', fields }
}

/** "the UK bankSetting fields plus boolean `isInternationalAccount` and string `country`." */
function irishBank(part: Part, uk: Shape): Shape {
  const [plus = ''] = sentence(part, /: the UK bankSetting fields plus (.+)\.$/)
  const added = plus.split(' and ').map((piece): [string, Shape] => {
    const [, words = '', name = ''] = /^(\w+) `(\w+)`$/.exec(piece) ?? []
    return [name, shape(name, words)]
  })
  return { type: 'object', fields: unique([...Object.entries(uk.fields ?? {}), ...added]) }
}

/** "the Ireland payrollSetting fields, with these differences: …". */
function irishSetting(part: Part, sent: Shape): { shape: Shape; lost: string[] } {
  const [differences = ''] = sentence(
    part,
    /^- `setting` in the response: the Ireland payrollSetting fields, with these differences: (.+)\.$/,
  )
  const fields: Record<string, Shape> = { ...sent.fields }
  const lost: string[] = []
  for (const difference of split(differences, ';')) {
    const [, name = '', what = ''] = /^(\w+) is (.+)$/.exec(difference) ?? []
    if (!fields[name]) throw new Error(`${part.name}: "${difference}" is not about a field`)
    if (what === 'not returned') lost.push(name)
    else fields[name] = returned(name, what)
  }
  for (const name of lost) delete fields[name]
  return { shape: { type: 'object', fields }, lost }
}

/** "a number", "returned as a boolean", "an array of objects `{…}`", "an object `{…}` where each value is `{…}`". */
function returned(name: string, what: string): Shape {
  const [, of = '', first = '', value, lastLacks] =
    /^an (array of objects|object) `([^`]+)`(?: where each value is `([^`]+)` \(the last value has no (\w+)\))?$/.exec(
      what,
    ) ?? []
  if (of === 'array of objects') return { type: 'array', item: braces(first) }
  if (of === '') return shape(name, what.replace(/^(returned as )?an? /, ''))
  if (value === undefined || lastLacks === undefined) throw new Error(`${name}: "${what}" shows no values`)
  const { values, ...others } = braces(first).fields ?? {}
  if (values?.type !== 'array') throw new Error(`${name}: "${what}" has no array of values`)
  return { type: 'object', fields: { ...others, values: { type: 'array', item: braces(value), lastLacks } } }
}
