import { once, onceForText } from '../../once.ts'
import type { Warning } from './warning.ts'

/** The 249 codes that ISO 3166-1 assigns. */
export const countryCodes: readonly string[] = [
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ',
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR',
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT',
  'JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO',
  'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY',
  'QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO',
  'TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW',
].flatMap((line) => line.split(' '))

/** XK is not assigned, but is widely used for Kosovo. */
const knownCountries = new Set([...countryCodes, 'XK'])

/** Other names that people write for the two countries of this service. */
const otherNames: Readonly<Record<string, string>> = {
  UK: 'GB',
  GBR: 'GB',
  ENGLAND: 'GB',
  SCOTLAND: 'GB',
  WALES: 'GB',
  'NORTHERN IRELAND': 'GB',
  'GREAT BRITAIN': 'GB',
  IRL: 'IE',
  EIRE: 'IE',
  ÉIRE: 'IE',
  'REPUBLIC OF IRELAND': 'IE',
}

const englishNames = once(() => new Intl.DisplayNames('en', { type: 'region' }))

/** The English name of a country: "Ireland" for IE. */
export const countryName = (code: string): string => englishNames().of(code) ?? code

/** Warns about a country that is not a code in capitals: GB rather than UK. */
export function countryWarning(value: unknown): Warning | undefined {
  if (typeof value !== 'string' || value === '' || knownCountries.has(value)) return undefined
  const name = value.trim().toUpperCase()
  if (knownCountries.has(name)) return { message: 'a country code is two capital letters', suggestion: name }
  const suggestion = Object.hasOwn(otherNames, name) ? otherNames[name] : countryCode(name)
  return { message: 'not the code of a country (ISO 3166-1), such as GB or IE', suggestion }
}

function countryCode(name: string): string | undefined {
  // Two letters are an unknown code, and no country name is this long.
  if (name.length < 3 || name.length > 60) return undefined
  return countryCodes.find((code) => countryName(code).toUpperCase() === name)
}

/** Words for the nationalities of these countries, by code, besides the country's English name. */
const demonyms: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'GB:british,english,scottish,welsh,northern irish,uk,united kingdom,gbr,briton',
    'IE:irish,irl,republic of ireland,eire AT:austrian,aut BE:belgian,bel BG:bulgarian,bgr CH:swiss,che CY:cypriot,cyp',
    'CZ:czech,cze DE:german,deu DK:danish,dnk EE:estonian,est ES:spanish,esp FI:finnish,fin FR:french,fra GR:greek,grc',
    'HR:croatian,hrv HU:hungarian,hun IS:icelandic,isl IT:italian,ita LI:liechtenstein,lie LT:lithuanian,ltu',
    'LU:luxembourgish,lux LV:latvian,lva MT:maltese,mlt NL:dutch,nld NO:norwegian,nor PL:polish,pol PT:portuguese,prt',
    'RO:romanian,rou SE:swedish,swe SI:slovenian,svn SK:slovak,svk',
  ]
    .flatMap((line) => line.split(/ (?=[A-Z]{2}:)/))
    .flatMap((entry) => {
      const [code = '', words = ''] = entry.split(':')
      return words.split(',').map((word) => [word, code])
    }),
)

/** The ISO 3166-1 codes that a nationality means: PL for Polish, two for British/Nigerian. */
export const nationalityCodes = onceForText((written): readonly string[] => {
  const whole = codeOfPeople(written)
  if (whole !== undefined) return [whole]
  const parts = written.split(/\s*(?:[/,;&+]|\band\b)\s*/i)
  return parts.length < 2 ? [] : parts.flatMap((part) => codeOfPeople(part) ?? [])
})

function codeOfPeople(written: string): string | undefined {
  const words = written
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .replace(/ (citizen|national|passport holder|passport)$/, '')
  if (words === '') return undefined
  if (union.test(words)) return 'DE'
  if (demonyms[words] !== undefined) return demonyms[words]
  const code = words.toUpperCase()
  if (knownCountries.has(code)) return code
  return Object.hasOwn(otherNames, code) ? otherNames[code] : countryCode(code)
}

/** Somebody of the European Union or the Economic Area, without a country. */
const union = /^(eu|eea|eu ?\/? ?eea|eea ?\/? ?eu|european union|european)$/
