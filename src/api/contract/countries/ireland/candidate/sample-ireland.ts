import { type Samples, sharedSamples } from '../../../candidate/samples.ts'

/** The same person in Ireland. */
export const irishSamples: Samples = {
  standard: {
    ...sharedSamples.standard,
    ppsn: '7654321PA',
    eircode: 'D02 X285',
    'sort-code': '900017',
    'account-number': '10027952',
    iban: 'IE92BOFI90001710027952',
    bic: 'BOFIIE2D',
    'prsi-class': 'A1',
  },
  named: {
    ...sharedSamples.named,
    nationality: 'Irish',
    city: 'Dublin',
    emergencyCity: 'Dublin',
    employmentId: '1',
    rightToWorkStatus: 'IRISH_CITIZEN',
    taxCreditAnnual: '4000.00',
    taxCreditFrequency: '76.92',
    yearlyRateCutOff: '44000.00',
    yearlyRateCutOffFrequency: '846.15',
    frequency_zeroPointFive: '231.00',
    frequency_two: '551.92',
    frequency_fourPointFive: '1347.00',
    annual_zeroPointFive: '12012.00',
    annual_two: '28700.00',
    annual_fourPointFive: '70044.00',
    prsiExemption: 'NONE',
    payrollApproveNeeded: 'true',
    // assumed: sent in the form in which they are answered.
    taxRateCutOffPoints: [
      { index: 1, yearlyRateCutOff: '44000.00', taxRatePercent: '20' },
      { index: 2, yearlyRateCutOff: '44000.00', taxRatePercent: '40' },
    ],
    cutOffPoints: {
      type: 'ORDINARY',
      values: [
        { index: 1, uscRatePercent: 0.5, yearlyUSCRateCutOff: '12012.00' },
        { index: 2, uscRatePercent: 8 },
      ],
    },
  },
}
