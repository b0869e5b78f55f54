import { once, onceForText } from '../../once.ts'
import { foldText } from '../../text/words.ts'
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

/** Other names that people write, as `comparableName` gives them. */
const otherCountryNames: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'GB:uk,gbr,england,scotland,wales,northern ireland,n ireland,great britain,britain',
    'IE:irl,eire,republic of ireland,roi CD:dr congo,democratic republic of the congo',
    'CI:ivory coast CZ:czech republic HK:hong kong MM:myanmar,burma MO:macau,macao NL:holland PS:palestine',
    'RU:russian federation SK:slovak republic SZ:swaziland TR:turkey US:usa,united states of america AE:uae',
    'BA:bosnia MK:macedonia VN:viet nam',
  ].flatMap(codesByWord),
)

/** The words of `IE:irl,eire NL:holland`, each with its code. */
function codesByWord(line: string): (readonly [word: string, code: string])[] {
  return line.split(/ (?=[A-Z]{2}:)/).flatMap((entry) => {
    const [code = '', words = ''] = entry.split(':')
    return words.split(',').map((word) => [word, code] as const)
  })
}

/** A name without accents, signs and `the`: Bosnia and Herzegovina for Bosnia & Herzegovina. */
const comparableName = (name: string) =>
  foldText(name)
    .replaceAll('.', '')
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim()
    .replace(/^the /, '')
    .replace(/^st /, 'saint ')

const englishNames = once(() => new Intl.DisplayNames('en', { type: 'region' }))

/** The English name of a country: "Ireland" for IE. */
export const countryName = (code: string): string => englishNames().of(code) ?? code

/** Nicaragua, Iran and the Seychelles: in British and Irish lists they mostly are Northern Ireland, Ireland and Scotland. */
const mixedUp: Readonly<Record<string, string>> = { NI: 'GB', IR: 'IE', SC: 'GB' }

/** Warns about a country that is not a code in capitals: GB rather than UK. */
export function countryWarning(value: unknown): Warning | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  if (Object.hasOwn(mixedUp, value))
    return { message: `${value} is the country code of ${countryName(value)}`, suggestion: mixedUp[value] }
  const code = countryCode(value)
  if (code === value) return undefined
  return {
    message:
      code === value.trim().toUpperCase()
        ? 'a country code is two capital letters'
        : 'not the code of a country (ISO 3166-1), such as GB or IE',
    suggestion: code,
  }
}

const codesByName = once(
  () => new Map([...knownCountries].map((code) => [comparableName(countryName(code)), code] as const)),
)

/** The code of a country by its code in any case, or by its name; undefined for any other text. */
export function countryCode(text: string): string | undefined {
  const code = text.trim().toUpperCase()
  if (knownCountries.has(code)) return code
  // No country name is this long.
  const name = text.length > 60 ? '' : comparableName(text)
  return Object.hasOwn(otherCountryNames, name) ? otherCountryNames[name] : codesByName().get(name)
}

/** Words for the nationalities of these countries, by code, besides the country's English name. */
const demonyms: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'GB:british,english,scottish,welsh,northern irish,briton IE:irish AT:austrian,aut BE:belgian,bel BG:bulgarian,bgr CH:swiss,che CY:cypriot,cyp',
    'CZ:czech,cze DE:german,deu DK:danish,dnk EE:estonian,est ES:spanish,esp FI:finnish,fin FR:french,fra GR:greek,grc',
    'HR:croatian,hrv HU:hungarian,hun IS:icelandic,isl IT:italian,ita LI:liechtenstein,lie LT:lithuanian,ltu',
    'LU:luxembourgish,luxembourger,lux LV:latvian,lva MT:maltese,mlt NL:dutch,nld NO:norwegian,nor PL:polish,pol PT:portuguese,prt',
    'RO:romanian,rou SE:swedish,swe SI:slovenian,slovene,svn SK:slovak,slovakian,svk',
  ].flatMap(codesByWord),
)

/** The ISO 3166-1 codes that a nationality means: PL for Polish, two for British/Nigerian. */
const nationalityCodes = onceForText((text): readonly string[] => {
  const whole = codeOfPeople(text)
  if (whole !== undefined) return [whole]
  const parts = text.split(/\s*(?:[/,;&+]|\band\b)\s*/i)
  return parts.length < 2 ? [] : parts.flatMap((part) => codeOfPeople(part) ?? [])
})

function codeOfPeople(text: string): string | undefined {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .replace(/ (citizen|national|passport holder|passport)$/, '')
  if (words === '') return undefined
  if (union.test(words)) return 'DE'
  if (Object.hasOwn(demonyms, words)) return demonyms[words]
  return countryCode(words)
}

/** Somebody of the European Union or the Economic Area, without a country. */
const union = /^(eu|eea|eu ?\/? ?eea|eea ?\/? ?eu|european union|european)$/

/**
 * Whether somebody needs a permission to work that may end, by the nationality and the status of the right to work as
 * they are written. `free`: the codes of the nationalities that need none.
 */
export function needsPermission(nationality: string, rightToWork: string, free: readonly string[]): boolean {
  const isFree = (text: string) => nationalityCodes(text).some((code) => free.includes(code))
  const status = rightToWork.replaceAll(/[_\s-]+/g, ' ').trim()
  const isDenied = /\b(not?|non)\b/i.test(status)
  return !isFree(nationality) && (isDenied || !(isFree(status) || withoutEnd.test(status)))
}

/**
 * assumed: what a permission that is not looked at again is called; the words of the service are not shown. Home Office,
 * since July 2024: pre-settled status shows no end, and needs no follow-up check.
 */
const withoutEnd =
  /^indefinite|^(eu(ss)? )?(pre )?settled\b|^ilr\b|^right of abode|^permanent residen|^list a\b/i
