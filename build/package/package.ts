import { join } from 'node:path'
import { buildExecutable } from './executable.ts'
import { type SystemName, systems } from './node-binaries.ts'

/** Makes everything that people install, in a folder. */
export async function makePackages(folder: string): Promise<void> {
  for (const system of ['linux-x64'] as SystemName[])
    await buildExecutable(system, join(folder, system, systems[system].executable))
}
