import { generalSetting } from '../../../candidate/general-setting.ts'
import { flag, inPlaceOf, inSection, text, without } from '../../../fields/field.ts'

/**
 * "the same fields as the UK one, with these differences: no NINumber, postCode, emergencyPostCode,
 * primaryAgencyId, secondaryAgencyId; added string `eircode`, `emergencyEircode`; added nullable
 * `shareCodeVerified`."
 */
export const generalSettingIreland = {
  ...inPlaceOf(
    inPlaceOf(
      without(generalSetting, 'NINumber', 'primaryAgencyId', 'secondaryAgencyId'),
      'postCode',
      inSection('contact', { eircode: text('Eircode', { essential: true, standard: 'eircode' }) }),
    ),
    'emergencyPostCode',
    inSection('emergency', { emergencyEircode: text('Eircode', { standard: 'eircode' }) }),
  ),
  shareCodeVerified: flag('Share code verified', {
    section: 'work',
    nullable: true,
    assumed: true,
    help: 'A boolean in the answer; its type in a request is not shown.',
  }),
}
