import type { main } from '../src/main.ts'

export function start(
  tool: { readonly main: typeof main },
  about: { readonly version: string; readonly build: () => string; readonly commit: () => string },
): void
