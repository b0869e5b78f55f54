import { dirname } from 'node:path'
import { Script } from 'node:vm'

interface Module {
  exports: unknown
}

/** The files of dist by their names in it, with slashes: their text, and what V8 has compiled of it, if that was kept. */
interface Files {
  /** The path of a file in a stack of calls and in `__filename`; its name by default. */
  readonly path?: (name: string) => string
  readonly text: (name: string) => string
  readonly compiled: (name: string) => Uint8Array | undefined
}

/**
 * Loads the files of dist as Node's loader of CommonJS does, each at its first use: an executable has them
 * inside. `fromNode` requires everything else; `onScript` is told of each file that was compiled.
 */
export function createLoader(
  files: Files,
  fromNode: (name: string) => unknown,
  onScript: (name: string, script: Script) => void = () => {},
): (name: string) => unknown {
  const modules = new Map<string, Module>()
  return load

  function load(name: string): unknown {
    const before = modules.get(name)
    if (before) return before.exports
    const module: Module = { exports: {} }
    modules.set(name, module)
    const script = compileFile(name, files)
    onScript(name, script)
    const require = (wanted: string) =>
      wanted.startsWith('.') ? load(resolveName(name, wanted)) : fromNode(wanted)
    const path = pathOf(name, files)
    script.runInThisContext().call(module.exports, module.exports, require, module, path, dirname(path))
    return module.exports
  }
}

/** The parameters that a file of CommonJS gets. */
const head = '(function(exports,require,module,__filename,__dirname){'

/** A file as the function that runs it. `cachedDataRejected` says whether what was kept of it fits. */
export function compileFile(name: string, files: Files): Script {
  const cachedData = files.compiled(name)
  return new Script(`${head}${files.text(name)}\n})`, {
    filename: pathOf(name, files),
    // So that a position in an error is that in the file.
    columnOffset: -head.length,
    ...(cachedData && { cachedData }),
  })
}

const pathOf = (name: string, { path }: Files) => path?.(name) ?? name

/** The name in dist that `./x.cjs` or `../x.cjs` means in a file of it, which lies at most one folder deep. */
function resolveName(from: string, name: string): string {
  const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/') + 1) : ''
  return name.startsWith('../') ? name.slice('../'.length) : folder + name.slice('./'.length)
}
