import { fieldAt } from '../fields/field-tree.ts'
import type { RecordType } from './record-type.ts'

/** Whether a field says where somebody's pay goes. */
export function isBankField({ fields }: RecordType, path: string): boolean {
  return fieldAt(fields, path)?.section === 'bank' || path === 'generalSetting.payMethod'
}
