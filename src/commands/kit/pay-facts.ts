import type { Context } from '../../context/context.ts'
import { countryById } from '../../model/countries/countries.ts'
import type { Facts } from '../../model/facts/facts.ts'
import { onceFor } from '../../once.ts'
import { spelledOut } from '../../text/day.ts'

/**
 * The facts by which the pay of new records and of hours is judged. Where the minimum wage of a day is not known, it says
 * so, once for each country: pay that was not held against it must not pass for pay that was.
 */
export const payFacts = onceFor(async (context: Context): Promise<Facts> => {
  const facts = await context.facts()
  const said = new Set<string>()
  return {
    ...facts,
    on(name, country, day) {
      const fact = facts.on(name, country, day)
      if (!fact && name === 'minimum-wage' && !said.has(country)) {
        said.add(country)
        context.warn(
          `pay ${countryById[country].inPlace} was not held against the minimum wage: payroll has none for ${spelledOut(day)}. To add it: payroll help facts import`,
        )
      }
      return fact
    },
  }
})
