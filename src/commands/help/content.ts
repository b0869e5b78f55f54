import type { GlobalOption } from '../kit/declare/verb.ts'
import type { Item } from './layout.ts'

/** A page of help that is not about one command, as paragraphs and lists. */
export type Content = (options: readonly GlobalOption[]) => readonly (string | readonly Item[])[]
