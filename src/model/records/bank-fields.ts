import { fieldAt } from '../fields/field-tree.ts'
import type { RecordType } from './record-type.ts'

/** The fields that say where somebody's pay goes: nobody changes them without being asked to. */
export function isBankField({ fields }: RecordType, path: string): boolean {
  return fieldAt(fields, path)?.section === 'bank' || path === 'generalSetting.payMethod'
}
