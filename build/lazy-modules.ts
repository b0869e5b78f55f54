import type { Plugin } from 'rolldown'

/**
 * Modules of Node that load much else and that many a command never uses; and the chunk with the fields of a
 * candidate, which are plain data and are asked for by functions.
 */
const costly =
  /\b(\w+)\s*=\s*require\((["'`])(node:(?:child_process|crypto|fs\/promises|http|https|net|os|timers\/promises|zlib)|\.\/candidate-fields\.cjs)\2\)/g

/**
 * Loads those modules at the first use of one of their members, not at the top of the chunk that names them. Their
 * names are functions, classes and values that never change, so it makes no difference when they are read.
 */
export function lazyModules(): Plugin {
  return {
    name: 'lazy-modules',
    renderChunk(code) {
      const lazy = code.replace(costly, (_, variable: string, _quote: string, module: string) => {
        const uses = code.matchAll(new RegExp(`\\b${variable}\\.(?:default\\.)?(\\w+)`, 'g'))
        const members = new Set([...uses].map(([, member]) => member).filter((name) => name !== 'default'))
        // Once it is there the getter is gone: to require a module costs as much as a small hash.
        const getters = [...members].map(
          (name) =>
            `get ${name}(){const value=require("${module}").${name};Object.defineProperty(this,"${name}",{value});return value}`,
        )
        return `${variable}={${getters.join(',')}}`
      })
      // The replaced text is at the head of a chunk, so the map still leads to nearly every right line.
      return lazy === code ? undefined : { code: lazy, map: null }
    },
  }
}
