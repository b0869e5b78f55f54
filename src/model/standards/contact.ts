import { typingDistance } from '../fields/nearest.ts'
import { asDigits, asItIs, type TextRule } from './standard-rule.ts'

/** 083, 085, 086, 087 and 089. */
const mobile08 = /^08[35679]\d*$/

/** A telephone number as dialled at home, or with its country code (E.164). */
export const phone: TextRule = {
  sentence: 'Seven to fifteen digits, with + and the country or as dialled at home (E.164).',
  bare: dialledNumber,
  fits: isPhone,
  meant: rewriteNumber,
  faults: [
    [/^07\d*$/, 'a UK mobile number has eleven digits'],
    [mobile08, 'an Irish mobile number has ten digits'],
  ],
  otherwise: 'not a telephone number: digits that begin with 0, or with + and the country',
}

/** Whether two texts are one telephone number, with its country or without: +44 7700 900123 and 07700900123. */
export function isSameTelephone(one: string, other: string): boolean {
  const [mine = '', theirs = ''] = [one, other].map((text) =>
    text.replaceAll(/[\s().\p{Pd}]/gu, '').replace(/^(?:\+|00)(44|353)0?(?=[1-9])/, '+$1'),
  )
  const isAtHome = (number: string, abroad: string) =>
    /^0[1-9]/.test(number) && /^\+(?:44|353)/.test(abroad) && abroad.replace(/^\+(?:44|353)/, '0') === number
  return mine === theirs || isAtHome(mine, theirs) || isAtHome(theirs, mine)
}

/** The domains of most people's mail, where a slip of the hand sends a payslip to a stranger. */
const usualDomains = [
  ...['gmail.com', 'googlemail.com', 'hotmail.com', 'hotmail.co.uk', 'outlook.com', 'icloud.com'],
  ...['yahoo.com', 'yahoo.co.uk', 'btinternet.com'],
]

/** Domains of mail one slip away from those. */
const alsoDomains: ReadonlySet<string> = new Set(['mail.com', 'ymail.com', 'email.com', 'cloud.com'])

/** The usual domain from which that of an address is one slip away. */
function meantDomain(address: string): string | undefined {
  const domain = domainOf(address).toLowerCase()
  if (alsoDomains.has(domain) || usualDomains.includes(domain)) return undefined
  return usualDomains.find(
    (usual) => Math.abs(usual.length - domain.length) < 2 && typingDistance(usual, domain) === 1,
  )
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

/** An e-mail address. A light check: only a message that arrives proves it (RFC 5321 for the lengths). */
export const email: TextRule = {
  sentence: 'A name, an @ and a domain, at most 254 characters (RFC 5321).',
  bare: asItIs,
  fits: (address) => isEmail(address) && meantDomain(address) === undefined,
  meant: (address) => {
    const domain = meantDomain(address)
    if (domain !== undefined) return [address.slice(0, -domainOf(address).length) + domain]
    const bare = address.replace(/[.;,]+$/, '')
    return [bare.replaceAll(' ', '').replaceAll(',', '.').replaceAll(/[‘’]/g, "'")]
  },
  faults: [
    [
      (address) => isEmail(address) && meantDomain(address) !== undefined,
      'a letter of its domain may be wrong',
    ],
  ],
  otherwise: 'not an e-mail address, such as name@example.com',
}

/** A number without spaces and signs. 00 is the + of a dialled number, and a 0 in brackets after the country is not dialled. */
function dialledNumber(text: string): string {
  return text
    .replace(/^((?:\+|00) ?\d{1,3} ?)\(0\)/, '$1')
    .replaceAll(/[ ().-]/g, '')
    .replace(/^00/, '+')
}

function isPhone(number: string): boolean {
  if (number.startsWith('+44')) return /^\+44(?:7\d{9}|[1-689]\d{8,9})$/.test(number)
  if (number.startsWith('+3538')) return /^\+3538[35679]\d{7}$/.test(number)
  if (number.startsWith('+353')) return /^\+353[1-9]\d{6,8}$/.test(number)
  if (number.startsWith('+')) return /^\+[1-9]\d{6,14}$/.test(number)
  // 071 and 074 are area codes in Ireland, whose numbers are a digit shorter.
  if (number.startsWith('07')) return /^07\d{9}$|^07[14]\d{7}$/.test(number)
  // 0870 to 0872 are British too, with eleven digits.
  if (mobile08.test(number)) return /^0\d{9,10}$/.test(number)
  return /^0[1-9]\d{7,9}$/.test(number)
}

/** The numbers that were probably meant: adds a zero that a spreadsheet removed or a missing +, drops an extra zero. */
function rewriteNumber(text: string): string[] {
  const number = asDigits(text.toUpperCase())
  if (/^7\d{9}$|^8[35679]\d{7}$/.test(number)) return [`0${number}`]
  const international = number.replace(/^\+?(?:00)?(?=44|353)/, '+')
  return [number, international, international.replace(/^\+(44|353)0/, '+$1')]
}

function isEmail(address: string): boolean {
  if (address.length > 254) return false
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const labels = address.slice(at + 1).split('.')
  return (
    at > 0 &&
    local.length <= 64 &&
    // Word puts ’ in the place of an apostrophe.
    local.split('.').every((part) => /^[^\s@,;:<>()[\]\\"‘’]+$/.test(part)) &&
    labels.length > 1 &&
    labels.every((label) => /^[\p{L}\p{N}-]{1,63}$/u.test(label) && !/^-|-$/.test(label)) &&
    /\p{L}/u.test(labels.at(-1) ?? '')
  )
}
