import { generalSetting } from '../../../candidate/general-setting.ts'
import { flag, inPlaceOf, inSection, text, without } from '../../../fields/field.ts'
import { ireland } from '../ireland.ts'

const { country, county } = generalSetting

/** Asked for otherwise in Ireland: a county, as its addresses have one; no gender, which Revenue does not ask for. */
const askedOtherwise = {
  ...without(generalSetting, 'NINumber', 'primaryAgencyId', 'secondaryAgencyId'),
  ...inSection('person', {
    gender: text('Gender', { exampleValues: ['MALE', 'FEMALE'] }),
    county: { ...county, essential: true },
    country: { ...country, preset: { value: ireland.country } },
  }),
  ...inSection('job', {
    payMethod: text('Pay method', {
      essential: true,
      exampleValues: ['BACS'],
      valueNames: { BACS: 'Bank transfer (BACS)' },
      help: 'A credit transfer to the IBAN, too: BACS is the only word that is known for it.',
    }),
  }),
}

/**
 * "the same fields as the UK one, with these differences: no NINumber, postCode, emergencyPostCode,
 * primaryAgencyId, secondaryAgencyId; added string `eircode`, `emergencyEircode`; added nullable
 * `shareCodeVerified`."
 */
export const generalSettingIreland = {
  ...inPlaceOf(
    inPlaceOf(
      askedOtherwise,
      'postCode',
      inSection('person', { eircode: text('Eircode', { essential: true, standard: 'eircode' }) }),
    ),
    'emergencyPostCode',
    inSection('emergency', { emergencyEircode: text('Eircode', { standard: 'eircode' }) }),
  ),
  shareCodeVerified: flag('Share code verified', {
    section: 'work',
    nullable: true,
    assumed: true,
    note: 'A boolean in the answer; its type in a request is not shown.',
  }),
}
