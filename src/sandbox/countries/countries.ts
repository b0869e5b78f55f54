import type { VariantId } from '../../api/contract/variants.ts'
import { ireland } from './ireland.ts'
import type { SandboxCountry } from './sandbox-country.ts'
import { uk } from './uk.ts'

/** Every country of the sandbox. Each adds its VAT codes to a new one: a new country comes last. */
export const countries: Readonly<Record<VariantId, SandboxCountry>> = { uk, ireland }
