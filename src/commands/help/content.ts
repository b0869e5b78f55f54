import type { Item } from './layout.ts'

/** An option of every command, as the parser describes it. */
export interface GlobalOption {
  readonly flags: string
  readonly description: string
  readonly argChoices?: readonly string[] | undefined
}

/** A page of help that is not about one command, as paragraphs and lists. */
export type Content = (options: readonly GlobalOption[]) => readonly (string | readonly Item[])[]
