/** An amount of money as a person reads it: €44,000.00. One with more decimals keeps them; what is no amount stays. */
export function formatAmount(text: string, currency: string): string {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text) ?? []
  if (whole === undefined) return text
  return `${sign}${currency}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0')}`
}
