import type { CountryId } from '../../model/countries/countries.ts'
import { ireland } from './ireland.ts'
import type { SandboxCountry } from './sandbox-country.ts'
import { uk } from './uk.ts'

/** Every country of the sandbox. Each adds its VAT codes to a new one: a new country comes last. */
export const sandboxCountries: Readonly<Record<CountryId, SandboxCountry>> = { uk, ireland }
