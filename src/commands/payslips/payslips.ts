import { Failure } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { idOf, idText } from '../../model/records/identity.ts'
import { type KnownBy, personOn } from '../../model/whose.ts'
import { eachItem } from '../../reading/lists.ts'
import { chooseOperation, payslipLists } from '../cli/target.ts'
import type { Verb } from '../cli/verb.ts'
import { chooseNear, describe } from '../kit/find/choose-meant.ts'
import { isBegun } from '../kit/find/match-names.ts'
import { readName } from '../kit/find/named-record.ts'
import { resource } from '../kit/resource.ts'
import { showProgress } from '../kit/show-progress.ts'
import { compare } from './compare.ts'

const common = resource({
  list: {
    operation: payslipLists,
    whoseItem: personOn,
    sums: true,
    summary: 'List payslips: all, or those of one person',
    examples: [
      'payroll payslips list',
      'payroll payslips list SANDBOX-UK-01',
      'payroll payslips list --sum --by taxPeriod',
      'payroll payslips list Amélie Sample',
      'payroll payslips list --where "taxPeriod=3" --out april.xlsx',
      'payroll payslips list --legacy --json > payslips.json',
    ],
  },
  export: {
    list: payslipLists,
    hasSinceLast: true,
    whoseItem: personOn,
    summary: 'Export payslips to a file: all, only the new ones, or those of one person',
    examples: [
      'payroll payslips export --out payslips.xlsx',
      'payroll payslips export SANDBOX-UK-01 --out payslips.xlsx',
      'payroll payslips export --since-last nightly --quiet --out new.csv',
      'payroll payslips export --since-last friday --expect-min 200 -o ndjson',
    ],
  },
})

/** "Get payslips" is a list, and no operation gives one of them: it is looked for there, as `chooseNear` does. */
const get: Verb = {
  name: 'get',
  summary: 'Show one payslip. The service has no operation for one: the list is read until its end',
  arguments: [{ name: 'id', summary: 'the id that list shows, or its beginning: 6 characters or more' }],
  options: ['legacy'],
  answer: {
    prints: 'json',
    shapes: [{ fields: {}, open: true, about: 'As the service sends it in the list.' }],
  },
  examples: ['payroll payslips get 6e20…'],
  async run(context, { arguments: { id: word = '' }, options }) {
    const name = { ...readName(word), writes: false }
    const { typed, meaning } = name
    const client = await context.client()
    let payslip: JsonObject | undefined
    const begun: (KnownBy & { readonly item: JsonObject })[] = []
    const reading = eachItem(client, chooseOperation(payslipLists, options), (item) => {
      const id = idOf(item)
      if (id === typed) payslip ??= item
      if (meaning === undefined && isBegun(id, typed)) begun.push({ id, name: nameOf(item), item })
    })
    await showProgress(context, 'Reading the payslips', reading)
    const near = payslip ? undefined : await chooseNear(context, name, { begun, named: [] })
    if (near) context.note(`${typed} is ${describe(near)}.`)
    payslip ??= near?.item
    if (payslip) return context.output.record(payslip)
    throw new Failure('not-found', `The service has no payslip with the id ${typed}.`, {
      hint: 'To see the ids: payroll payslips list. Those of a person: payroll payslips list <person>',
    })
  },
}

/** `Ann Sample, 2026/27, 3`: whose a payslip is, and its tax period. */
function nameOf(item: JsonObject): string {
  const { name, reference } = personOn(item)
  return [name || reference, item.taxYear, item.taxPeriod].map(idText).filter(Boolean).join(', ')
}

/** Group "Payslips": "a list operation labelled v2 and a legacy-shape operation labelled v1". */
export const payslips = { ...common, verbs: [...common.verbs, get, compare] }
