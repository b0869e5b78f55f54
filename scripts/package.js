/** Builds what people install into packages: `npm run package`. */
import { bundled } from './bundled.js'

const { makePackages } = await bundled('package')
await makePackages('packages', (line) => process.stdout.write(`${line}\n`))
