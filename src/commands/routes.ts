import { allOperations } from '../api/contract/operations.ts'
import type { Resource } from './kit/attach.ts'
import type { Verb } from './kit/verb.ts'

const list: Verb = {
  name: 'list',
  summary: 'List the 27 operations: method, path, and how well each is known',
  examples: [
    'payroll routes list',
    'payroll routes list --json | jq -r \'.[] | select(.known != "documented").path\'',
  ],
  async run(context) {
    const rows = allOperations.map(({ id, title, method, path, known, assumes = [] }) => {
      return { operation: id, method, path, known, assumes, title }
    })
    const columns = ['operation', 'method', 'path', 'known', 'assumes']
    await context.output.list(rows, { columns })
  },
}

export const routes: Resource = { verbs: [list] }
