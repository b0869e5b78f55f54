import { Failure } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { idOf } from '../../model/records/identity.ts'
import { personOn } from '../../model/whose.ts'
import { eachItem } from '../../reading/lists.ts'
import { shellWord } from '../../text/shell-word.ts'
import { chooseOperation, payslipLists } from '../cli/target.ts'
import type { Verb } from '../cli/verb.ts'
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

/** "Get payslips" is a list, and no operation gives one of them: it is looked for there. */
const get: Verb = {
  name: 'get',
  summary: 'Show one payslip. The service has no operation for one: the list is read until it is found',
  arguments: [{ name: 'id', summary: 'the id that list shows' }],
  options: ['legacy'],
  answer: {
    prints: 'json',
    shapes: [{ fields: {}, open: true, about: 'As the service sends it in the list.' }],
  },
  examples: ['payroll payslips get 6e20…'],
  async run(context, { arguments: { id = '' }, options }) {
    const client = await context.client()
    let payslip: JsonObject | undefined
    const reading = eachItem(client, chooseOperation(payslipLists, options), (item) => {
      if (idOf(item) === id) payslip ??= item
    })
    await showProgress(context, 'Reading the payslips', reading)
    if (payslip) return context.output.record(payslip)
    throw new Failure('not-found', `The service has no payslip with the id ${id}.`, {
      hint: `To see the ids: payroll payslips list. Those of a person: payroll payslips list ${shellWord(id, context.host.platform)}`,
    })
  },
}

/** Group "Payslips": "a list operation labelled v2 and a legacy-shape operation labelled v1". */
export const payslips = { ...common, verbs: [...common.verbs, get, compare] }
