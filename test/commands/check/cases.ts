import type { Json } from '../../../src/files/json/path.ts'

/** Somebody, or somebody's week, on a day: what check has to find, and nothing else. Written from the sources, before the rules. */
export interface Case {
  /** The day; and behind it the service, where its people have more in common: `2026-11-24 umbrella`. */
  readonly on: string
  readonly place: 'uk' | 'ireland'
  /** By the last name of a field; `null` empties it. Anything else is that of a person without a fault. */
  readonly fields: Fields
  readonly sheets: readonly Fields[]
  readonly slips: readonly Fields[]
  /** Rules; with the severity behind an equals sign where it matters: `below-minimum=look`. */
  readonly finds: readonly string[]
  /** What the first of these rules sees; undefined where no matter. */
  readonly sees: string | undefined
}

type Fields = Readonly<Record<string, Json>>

/**
 * People with their country, the rules that find something in them (or `fine`), and with a bar between them; `.` is one without
 * a word of their own. `-` empties a field, `2026-09-01T` is midnight of that day, and what looks like a number and is a text has
 * quotation marks. `+cis` has the fields of that name. A sheet has its first day, its last and its hours, a slip its period and its
 * gross. What is seen of somebody stands behind `=>`.
 */
const table = `
zone := workplacePostcode='SW1A 1AA' dateOfJoining=2023-11-25
old := documentExpiryDate=2024-01-01 documentType=PASSPORT
soon := dateOfJoining=2026-12-01 starterDeclaration=A
cis := paymentModel=CIS UTRNo='1123456789' personalVerificationNumber=V1234567890 cisStatus=VERIFIED_20%
unassessed := optState=- membershipStartDate=-

# NI category letters against State Pension age (Pensions Act 2014, s. 26) and the letters of gov.uk
on 2026-11-24
uk ni-letter: DOB=1940-01-01 niCategory=A | DOB=1956-05-01 niCategory=A | DOB=1959-11-10 niCategory=A
uk ni-letter: DOB=1960-04-05 niCategory=A | DOB=1960-04-06 niCategory=A | DOB=1960-05-10 niCategory=A
uk ni-letter: DOB=1960-07-20 niCategory=A
uk fine: DOB=1940-01-01 niCategory=C | DOB=1956-05-01 niCategory=C | DOB=1960-04-05 niCategory=C
uk fine: DOB=1960-07-20 niCategory=C
# 66 and 8 months for a birthday of 6 November to 5 December 1960.
uk fine: DOB=1960-11-20 niCategory=A | DOB=1961-03-05 niCategory=A | DOB=1965-01-01 niCategory=A
uk ni-letter: DOB=1960-11-20 niCategory=C | DOB=1961-03-05 niCategory=C | DOB=1970-01-01 niCategory=C
on 2027-07-20
uk fine: DOB=1960-11-20 niCategory=C
uk ni-letter: DOB=1960-11-20 niCategory=A
on 2027-07-19
uk ni-letter: DOB=1960-11-20 niCategory=C
# 66 and 11 months for one of 6 February to 5 March 1961, the last before 67.
on 2028-01-19
uk fine: DOB=1961-02-20 niCategory=A
uk ni-letter: DOB=1961-02-20 niCategory=C
on 2026-11-24
uk ni-letter: DOB=1956-01-01 niCategory=J | DOB=1956-01-01 niCategory=B gender=FEMALE
# X is for those of whom no NI is due: not for an adult.
uk ni-letter=look: DOB=1986-01-01 niCategory=X | DOB=2010-01-01 niCategory=X | DOB=2009-06-01 niCategory=X
# The elections of married women ended on 11 May 1977, and nobody under 16 had one.
uk ni-letter: DOB=1986-01-01 niCategory=B gender=FEMALE | DOB=1961-05-12 niCategory=B gender=FEMALE
uk fine: DOB=1961-05-11 niCategory=B gender=FEMALE
uk ni-letter: DOB=1961-05-11 niCategory=B gender=MALE
# M and Z end at 21, H at 25.
uk fine: DOB=2005-11-25 niCategory=M | DOB=2007-01-01 niCategory=Z
uk fine: DOB=2001-11-25 niCategory=H isApprentice=true | DOB=2001-11-24 niCategory=A isApprentice=true
uk ni-letter=look: DOB=2001-11-25 niCategory=A isApprentice=true
uk ni-letter: DOB=2005-11-24 niCategory=M | DOB=2005-10-10 niCategory=M | DOB=1990-01-01 niCategory=Z
uk ni-letter: DOB=2001-11-24 niCategory=H isApprentice=true | DOB=2003-01-01 niCategory=H
# With A or J the employer pays NI for somebody under 21.
uk ni-letter: niCategory=A DOB=2005-11-25 | niCategory=J DOB=2007-01-01
uk fine: niCategory=J | niCategory=A DOB=2005-11-24 | niCategory=H DOB=2007-01-01 isApprentice=true
# The relief is for the first 12 months of a veteran's civilian work, and 36 in a Freeport or an Investment Zone.
uk fine: niCategory=V dateOfJoining=2025-11-25 | +zone niCategory=N | +zone niCategory=F
uk ni-letter: niCategory=V dateOfJoining=2025-11-24
uk ni-letter: niCategory=F workplacePostcode='SW1A 1AA' dateOfJoining=2023-11-24
uk doubtful-value: niCategory=F dateOfJoining=2023-11-25 | niCategory=N dateOfJoining=2023-11-25
uk ni-letter: niCategory=S workplacePostcode='SW1A 1AA' | niCategory=K workplacePostcode='SW1A 1AA'
uk ni-letter: niCategory=F DOB=1950-01-01 workplacePostcode='SW1A 1AA'

# Numbers and codes that the form doubts; more of them: test/model/standards/vectors.ts
uk fine: NINumber='AB 12 99 01 c' taxCode=1257l niCategory=a
ie fine: ppsNumber='6433435 f' prsiEeClasses=a1
uk doubtful-value: taxCode=12570L | taxCode='1257L M1' | NINumber=GB123456A
uk fine: taxCode=S1257L | taxCode=K475 | taxCode=NT
uk no-ni-number: NINumber='' | NINumber=- => no National Insurance number
uk fine: +cis NINumber=-
uk doubtful-value: DOB=2012-06-01 niCategory=X | DOB=1915-03-01 niCategory=C
ie doubtful-value=look: ppsNumber=1234567TW | yearlyRateCutOff='4400.00'
ie doubtful-value=likely-wrong: yearlyRateCutOff='4400.00' annual_zeroPointFive='28700' annual_two='12012' annual_fourPointFive='70044'
ie doubtful-value: ppsNumber=1234567A | ppsNumber=123456T
ie fine: ppsNumber=1234567T | ppsNumber=1234567FA
uk tax-details: taxCode=- starterDeclaration=- | niCategory=-
uk tax-details: taxCode=- niCategory=- => no tax code or NI category letter
uk fine: +cis taxCode=- niCategory=-
uk fine: taxCode=- starterDeclaration=A
ie tax-details: prsiEeClasses=- | ppsNumber=-
ie tax-details: ppsNumber=- prsiEeClasses=- => no PPS number or PRSI class

# Rates, and lines of a timesheet
uk no-rate: rateHour=0 => no hourly rate, no salary, and no timesheet
uk fine: rateHour=- sheet(2026-11-16 2026-11-22 37.5)

# Bank
uk no-bank: sortCode=- accountNumber=- => no sort code or account number
uk no-bank: accountNumber=- => no account number
uk fine: sortCode=- accountNumber=- payMethod=CASH | sortCode=- accountNumber=- payMethod=CHEQUE
uk bank-number: accountNumber='1234567' | sortCode='60161' | sortCode='12' | accountNumber='1234' | accountNumber=3192681O
# Bacs reaches no account abroad.
uk no-bank: sortCode=- accountNumber=- IBANReference=DE89370400440532013000
uk no-bank: sortCode=- accountNumber=- IBANReference=DE89370400440532013000 payMethod=CHAPS
uk fine: sortCode=- accountNumber=- IBANReference=DE89370400440532013000 payMethod=SEPA
# TBC and zeros are no number, where others show theirs.
uk no-bank: accountNumber=TBC | sortCode='00-00-00' accountNumber='00000000'
uk fine: sortCode=- accountNumber=- IBANReference=GB29NWBK60161331926819
ie no-bank: IBANReference=- sortCode=- accountNumber=-
ie bank-number: IBANReference=DE89370400440532013001
ie bank-number: IBANReference=IE29AIBK93115212345679 => IBAN: the check digits do not fit: a character is wrong, or two have changed places
# Inside SEPA no BIC is asked for, and every SEPA IBAN counts as one of home.
ie fine: IBANReference=DE89370400440532013000 isInternationalAccount=true
ie fine: IBANReference=LT121000011101001000 isInternationalAccount=false
ie fine: IBANReference=FR1420041010050500013M02606 isInternationalAccount=true SWIFTNo=-
ie bank-number: IBANReference=BR1800360305000010009795493C1 isInternationalAccount=true
ie fine: IBANReference=BR1800360305000010009795493C1 isInternationalAccount=true SWIFTNo=BRASBRRJ

# Those who have not started, and those who have left
uk no-bank=look no-ni-number=look no-rate=look starter-details=look tax-details=look: dateOfJoining=2027-03-01 sortCode=- accountNumber=- taxCode=- niCategory=- NINumber=- rateHour=-
uk fine: dateLeft=2026-11-01 sortCode=- accountNumber=-
# Who left in the last pay period, or a week before it, is still to be paid; and so is everybody with a timesheet.
uk no-bank: dateLeft=2026-11-11 sortCode=- accountNumber=-
uk fine: dateLeft=2026-11-10 sortCode=- accountNumber=-
uk no-bank: payFrequency=MONTHLY dateLeft=2026-10-18 sortCode=- accountNumber=-
uk fine: payFrequency=MONTHLY dateLeft=2026-10-17 sortCode=- accountNumber=-
uk below-minimum no-bank tax-details: dateLeft=2026-11-01 sortCode=- accountNumber=- taxCode=- sheet(2026-10-26 2026-11-01 37.5 rate=11)
uk fine: dateLeft=2026-11-01 sortCode=- accountNumber=- sheet(2026-10-26 2026-11-01 37.5 status=REJECTED)
# Of who left, nobody asks for a document or a pension.
uk fine: dateLeft=2026-11-15 +old nationality=Polish | dateLeft=2026-11-15 postponementEndDate=2026-12-01T
# Who left and came back is here.
uk no-bank: dateLeft=2026-03-20 dateOfJoining=2026-09-07 starterDeclaration=A sortCode=- accountNumber=-
uk fine: dateLeft=2026-03-20 dateOfJoining=2026-09-07 starterDeclaration=A sheet(2026-11-16 2026-11-22 37.5)
uk no-bank: dateLeft=2026-12-24 sortCode=- accountNumber=-
uk before-start=likely-wrong: dateOfJoining=2026-12-07 starterDeclaration=A sheet(2026-11-16 2026-11-22 37.5)
uk before-start: dateOfJoining=2026-11-23 starterDeclaration=A sheet(2026-11-16 2026-11-22 37.5) => starts on 23 November 2026; timesheet from 16 November 2026 to 22 November 2026
uk fine: dateOfJoining=2026-11-22 starterDeclaration=A sheet(2026-11-16 2026-11-22 37.5)
uk after-leaving: dateLeft=2026-11-15 sheet(2026-11-16 2026-11-22 37.5) => left on 15 November 2026; timesheet from 16 November 2026 to 22 November 2026
uk fine: dateLeft=2026-11-16 sheet(2026-11-16 2026-11-22 37.5)

# Minimum wage: the first day of the period (reg. 4B), Ireland by day
on 2026-04-07
uk fine: rateHour=- annualSalary=40000 sheet(2026-03-30 2026-04-05 37.5 rate=12.21)
uk below-minimum: sheet(2026-03-30 2026-04-05 37.5 rate=12.2)
uk fine: sheet(2026-04-01 2026-04-07 37.5 rate=12.71)
uk below-minimum: sheet(2026-04-01 2026-04-07 37.5 rate=12.7)
on 2027-04-06
uk fine: sheet(2027-03-29 2027-04-04 37.5 rate=12.71)
# The 21st birthday is on 20 November: the age on the first day counts.
on 2026-11-24
uk fine: DOB=2005-11-20 niCategory=A sheet(2026-11-16 2026-11-22 37.5 rate=11)
uk below-minimum: DOB=2005-11-16 niCategory=A sheet(2026-11-16 2026-11-22 37.5 rate=11)
# Paid by the month, the age and the rate of the day on which that began count, and that may be 31 days before.
uk below-minimum=look: DOB=2005-11-10 payFrequency=MONTHLY sheet(2026-11-16 2026-11-22 37.5 rate=11)
uk below-minimum=look: DOB=2005-11-10 rateHour=11 payFrequency=MONTHLY | DOB=2005-11-20 rateHour=11
uk below-minimum=likely-wrong: DOB=2005-10-20 payFrequency=MONTHLY sheet(2026-11-16 2026-11-22 37.5 rate=11)
uk below-minimum=likely-wrong: DOB=2005-11-10 payFrequency=MONTHLY sheet(2026-11-16 2026-11-22 37.5 rate=10.84)
uk below-minimum=likely-wrong: DOB=2005-11-10 rateHour=11 payFrequency=MONTHLY dateOfJoining=2026-11-12 starterDeclaration=A
uk below-minimum=likely-wrong: DOB=2005-11-10 rateHour=11
on 2026-04-07
uk below-minimum=look: payFrequency=MONTHLY sheet(2026-04-01 2026-04-07 37.5 rate=12.21)
on 2026-11-24
uk fine: rateHour=10.85 DOB=2007-01-01 | rateHour=8 DOB=2009-06-01 | rateHour=12.71
uk below-minimum: rateHour=10.84 DOB=2007-01-01 | rateHour=7.99 DOB=2009-06-01
uk below-minimum=likely-wrong: rateHour=12.7 => hourly rate: £12.70 is below the minimum of £12.71 at 36
uk below-minimum=likely-wrong: rateHour=12.7093 => hourly rate: £12.7093 is below the minimum of £12.71 at 36
uk below-minimum=look person-details: rateHour=12 DOB=- => hourly rate: £12.00 is below the minimum of £12.71 of an adult: the date of birth is not known
uk below-minimum=look: rateHour=8 isApprentice=true DOB=2007-01-01 => hourly rate: £8.00 is below the minimum of £10.85: right for an apprentice in the first year alone, or under 19
uk below-minimum=likely-wrong: rateHour=7.5 isApprentice=true DOB=2008-04-01 => hourly rate: £7.50 is below the minimum of £8.00 at 18
uk below-minimum=look: rateHour=12.71 isSalarySacrifice=true => hourly rate: £12.71 may be below the minimum of £12.71 after the salary sacrifice
uk fine: rateHour=14 isSalarySacrifice=true
uk fine: rateHour=8 isApprentice=true DOB=2008-06-01 | +cis rateHour=5
uk below-minimum ni-letter: rateHour=8 isApprentice=true DOB=2004-06-01
# A salary by its hours: a year has 52.14 weeks.
uk below-minimum: rateHour=- annualSalary=20000 hours=40 | rateHour=- annualSalary=24800 hours=37.5
uk below-minimum=look: rateHour=- annualSalary=24851 => £24,851 a year for 37.5 hours a week: £12.7099 is below the minimum of £12.71 at 36: right only if a year has 52 weeks
uk below-minimum=look: rateHour=- annualSalary=24790.5 => £24,790.50 a year for 37.5 hours a week: £12.68 is below the minimum of £12.71 at 36: right only if a year has 52 weeks
uk below-minimum=likely-wrong: rateHour=- annualSalary=24700 => £24,700 a year for 37.5 hours a week: £12.63 is below the minimum of £12.71 at 36
uk below-minimum: rateHour=0 annualSalary=26000 hours=40
uk fine: rateHour=- annualSalary=24900 hours=37.5 | rateHour=- annualSalary=26600 hours=40
uk fine: rateHour=- annualSalary=13000 hours=16 | rateHour=- annualSalary=20000 hours=-
ie below-minimum=likely-wrong: rateHour=14.14 => hourly rate: €14.14 is below the minimum of €14.15 at 36
ie below-minimum: rateHour=- annualSalary=27000 hours=39 | rateHour=12.73 DOB=2007-06-01
ie fine: rateHour=14.15 | rateHour=- annualSalary=29000 hours=39 | rateHour=12.74 DOB=2007-06-01
on 2026-01-06
ie below-minimum: sheet(2025-12-29 2026-01-04 39 rate=13.5) | sheet(2025-12-22 2025-12-28 39 rate=13.4)
ie fine: sheet(2025-12-22 2025-12-28 39 rate=13.5) | sheet(2025-12-29 2026-01-04 39 rate=14.15)
# The floor of an assignment, with a margin; for letters of the young no employer's NI is due.
on 2026-11-24
uk below-minimum: rateHour=13.9 margin=20
uk below-minimum=look: rateHour=17.06 margin=25 => hourly rate: £17.06 is less than an assignment has to bring for £12.71: (pay with 12.07% holiday £534.15 + employer's NI £65.72 + levy £2.67 + pension £12.42 + margin £25.00) ÷ 37.5 hours = £17.07
uk fine: rateHour=17.07 margin=25
# The costs of an employer go by the week: four weeks have them four times, and two sheets of one week once.
uk below-minimum=look: margin=25 sheet(2026-10-26 2026-11-22 150 rate=16) => timesheet from 26 October 2026 to 22 November 2026: £16.00 is less than an assignment has to bring for £12.71: (pay with 12.07% holiday £2,136.61 + employer's NI £262.89 + levy £10.68 + pension £49.70 + margin £100.00) ÷ 150 hours = £17.07
uk fine: margin=25 sheet(2026-11-16 2026-11-22 20 rate=17.1 assignmentRef=A-1) sheet(2026-11-16 2026-11-22 17.5 rate=17.1 assignmentRef=A-2)
uk fine: DOB=2007-05-05 niCategory=M margin=20 rateHour=20 sheet(2026-11-16 2026-11-22 37.5 rate=13.9)
uk below-minimum ni-letter: DOB=2007-05-05 niCategory=A margin=20 rateHour=20 sheet(2026-11-16 2026-11-22 37.5 rate=13.9)
uk below-minimum: DOB=2007-05-05 niCategory=M margin=20 rateHour=20 sheet(2026-11-16 2026-11-22 37.5 rate=12.7)
# Nobody is enrolled into a pension under 22, over State Pension age or below £10,000 a year: the floor is lower then.
uk fine: DOB=2007-05-05 niCategory=M margin=20 rateHour=20 sheet(2026-11-16 2026-11-22 37.5 rate=12.76)
uk fine: DOB=1959-05-05 niCategory=C margin=25 rateHour=16.74 | margin=25 hours=12 rateHour=20 sheet(2026-11-16 2026-11-22 12 rate=17.4)

# Hours, and timesheets
uk fine: workingTimeRegulation=OPT_OUT sheet(2026-11-16 2026-11-22 60) | sheet(2026-11-16 2026-11-22 48)
# The tax period of a timesheet is that of its day of pay
uk tax-period=look: sheet(2026-11-16 2026-11-22 37.5 taxYear=2026/27 taxPeriodConfig=W3) => timesheet from 16 November 2026 to 22 November 2026: week 3 of 2026/27 is far from tax week 33, which has 22 November 2026, the last day
uk tax-period=look: sheet(2026-11-16 2026-11-22 37.5 taxYear=2025/26) | sheet(2026-11-16 2026-11-22 37.5 taxPeriodConfig=Month60)
uk fine: sheet(2026-11-16 2026-11-22 37.5 taxYear=2026/27 taxPeriodConfig=W34) | sheet(2026-11-16 2026-11-22 37.5 taxYear=2026-27)
ie tax-period=look: sheet(2026-11-16 2026-11-22 37.5 taxYear=2025)
ie fine: sheet(2026-11-16 2026-11-22 37.5 taxYear=2026 taxPeriodConfig=W47)
uk fine: sheet(2026-11-16 2026-11-22 37.5 taxYear=Y17 taxPeriodConfig=33) | sheet(- - 37.5 taxYear=2020/21 taxPeriodConfig=W3)
uk too-many-hours: workingTimeRegulation=OPT_IN sheet(2026-11-16 2026-11-22 55)
uk too-many-hours=look: workingTimeRegulation=OPT_OUT sheet(2026-11-16 2026-11-22 61) => 61 hours; timesheet from 16 November 2026 to 22 November 2026; Working Time Regulations: OPT_OUT
uk too-many-hours=likely-wrong: workingTimeRegulation=OPT_OUT sheet(2026-11-16 2026-11-22 85)
ie too-many-hours: workingTimeRegulation=OPT_OUT sheet(2026-11-16 2026-11-22 58)
ie too-many-hours: sheet(2026-11-16 2026-11-22 49)
ie fine: sheet(2026-11-16 2026-11-22 48)
# Restricted hours are those of a student: 20 in a term. Under 18 the law allows 40, and nobody may agree to more.
uk too-many-hours=look: isRestrictedHours=true workingTimeRegulation=OPT_OUT sheet(2026-11-16 2026-11-22 21)
ie too-many-hours=look: isRestrictedHours=true sheet(2026-11-16 2026-11-22 39)
uk fine: isRestrictedHours=true sheet(2026-11-16 2026-11-22 20) | isRestrictedHours=false sheet(2026-11-16 2026-11-22 47)
uk too-many-hours=likely-wrong: DOB=2009-06-01 workingTimeRegulation=OPT_OUT sheet(2026-11-16 2026-11-22 41)
uk fine: DOB=2009-06-01 sheet(2026-11-16 2026-11-22 40) | DOB=2008-11-16 niCategory=M sheet(2026-11-16 2026-11-22 47)
ie too-many-hours=likely-wrong: DOB=2009-06-01 sheet(2026-11-16 2026-11-22 41)
uk too-many-hours=likely-wrong: sheet(2026-11-16 2026-11-16 25) | sheet(2026-11-16 2026-11-17 49)
uk fine: sheet(2026-11-16 2026-11-16 24)
uk overlapping-sheets: sheet(2026-11-16 2026-11-22 20) sheet(2026-11-16 2026-11-22 20) => timesheet from 16 November 2026 to 22 November 2026, and another timesheet from 16 November 2026 to 22 November 2026
uk overlapping-sheets: sheet(2026-11-16 2026-11-22 20) sheet(2026-11-20 2026-11-26 20)
uk fine: sheet(2026-11-16 2026-11-22 20) sheet(2026-11-16 2026-11-22 20 status=REJECTED)
uk fine: sheet(2026-11-09 2026-11-15 37.5) sheet(2026-11-16 2026-11-22 37.5)
uk fine: sheet(2026-11-16 2026-11-22 20 assignmentRef=A1) sheet(2026-11-16 2026-11-22 20 assignmentRef=A2)
# Nothing says that timesheets without days share a week.
uk fine: workingTimeRegulation=OPT_OUT sheet(- - 40) sheet(- - 40) sheet(- - 40)
uk no-hours: sheet(2026-11-16 2026-11-22 0) => no hours; timesheet from 16 November 2026 to 22 November 2026 | sheet(2026-11-16 2026-11-22 -5) => -5 hours; timesheet from 16 November 2026 to 22 November 2026

# Right to work, by the law of the country
uk fine: +old nationality=British | +old nationality=Irish | +old nationality=GB | +old nationality=GBR
uk fine: +old nationality=IE | +old nationality='Northern Irish' | +old nationality=English
uk fine: +old nationality=Scottish | +old nationality=Welsh | +old nationality='British citizen'
uk fine: +old nationality=- rightToWorkStatus=BRITISH_CITIZEN
uk fine: +old nationality=- rightToWorkStatus=IRISH_CITIZEN
uk document-expired: +old nationality=Polish | +old nationality=Indian | +old nationality=PL
uk document-expires: nationality=Indian documentExpiryDate=2026-12-10
uk fine: nationality=British documentExpiryDate=2026-12-10 | nationality=Indian documentExpiryDate=2027-06-10
uk no-document-date: nationality=Polish | nationality=Indian => no type of document in the record (Indian)
uk no-document-date: nationality=- documentType=BIOMETRIC_RESIDENCE_PERMIT => BIOMETRIC_RESIDENCE_PERMIT without a day on which it expires
uk no-document-date: nationality=Indian rightToWorkStatus=COMMONWEALTH_CITIZEN
uk no-document-date: nationality=Indian rightToWorkStatus=NON_CITIZEN
uk fine: nationality=Indian rightToWorkStatus=INDEFINITE_LEAVE_TO_REMAIN
uk fine: nationality=Polish rightToWorkStatus=SETTLED_STATUS
uk fine: nationality=Polish rightToWorkStatus=PRE_SETTLED_STATUS
uk fine: +old nationality=Polish rightToWorkStatus='EUSS pre-settled' | nationality='Northern Irish'
uk fine: nationality=GB
ie fine: +old nationality=Polish | +old nationality=PL | +old nationality=POL | +old nationality=German
ie fine: +old nationality=Swiss | +old nationality=Norwegian | +old nationality=British
ie fine: +old nationality=Irish | +old nationality=Romanian | nationality=Polish | nationality=British
ie fine: nationality=Irish | nationality=Lithuanian | nationality=LT | nationality=Croatian
ie no-document-date: nationality=Brazilian | nationality=Indian
ie document-expired: +old nationality=Brazilian
ie fine: nationality=Polish rightToWorkStatus=EU_EEA

# Ireland: PRSI since 1 January 2024, USC, emergency tax
ie fine: DOB=1960-06-01 prsiEeClasses=A1 | DOB=1958-01-01 prsiEeClasses=A1 | DOB=1950-01-01 prsiEeClasses=J0
ie fine: DOB=1957-12-31 prsiEeClasses=J1
ie prsi-class: DOB=1955-01-01 prsiEeClasses=A1 | DOB=1957-12-31 prsiEeClasses=A1
ie prsi-class: DOB=1960-06-01 prsiEeClasses=J1 | DOB=1990-01-01 prsiEeClasses=J1
ie prsi-class: DOB=1990-01-01 prsiEeClasses=M | DOB=1950-01-01 prsiEeClasses=S1
ie prsi-class: prsiEeClasses=A1 prsiExemption=UNDER_16
ie fine: prsiEeClasses=M prsiExemption=A_1_PORTABLE_DOCUMENT | prsiEeClasses=S1 DOB=1958-06-01
ie fine: prsiEeClasses=A1 prsiExemption=NONE | prsiEeClasses=A1 prsiExemption=N/A | prsiEeClasses=A1 prsiExemption=N
ie fine: annual_zeroPointFive='12012' annual_two='28700' annual_fourPointFive='70044'
ie fine: annual_zeroPointFive='12012' annual_two='60000' annual_fourPointFive='60000'
ie fine: annual_zeroPointFive='12012' annual_two='60000' annual_fourPointFive='0'
ie fine: annual_zeroPointFive='0' annual_two='0' annual_fourPointFive='0'
ie doubtful-value: annual_zeroPointFive='28700' annual_two='12012' annual_fourPointFive='70044'
ie doubtful-value: annual_zeroPointFive='12012' annual_two='70044' annual_fourPointFive='28700'
ie doubtful-value: yearlyRateCutOff='4400.00'
ie emergency-tax: taxBasis=EMERGENCY | taxBasis=EMERGENCY dateOfJoining=2026-10-01 => started on 1 October 2026, and is taxed on the emergency basis
ie fine: taxBasis=EMERGENCY dateOfJoining=2026-11-20 | taxBasis=WEEK_1
ie fine: taxBasis=EMERGENCY dateOfJoining=2026-12-01
ie emergency-tax: yearlyRateCutOff=- taxCreditAnnual=-
ie fine: yearlyRateCutOff='0' taxCreditAnnual='0'
# Of who is new, the notification may still come.
ie emergency-tax=look: yearlyRateCutOff=- taxCreditAnnual=- dateOfJoining=2026-11-19
ie emergency-tax=look: yearlyRateCutOff=- dateOfJoining=2026-11-20 | taxBasis=- dateOfJoining=2026-11-20
ie emergency-tax=look: taxBasis=- dateOfJoining=2026-12-01

# What pay needs, of people who start later too
uk fine: +soon | +soon taxCode=- | +soon payMethod=CHEQUE accountNumber=-
uk no-bank=look: +soon accountNumber=-
uk no-rate=look: +soon rateHour=- | +soon rateHour=0
uk starter-details=look tax-details=look: dateOfJoining=2026-12-01 starterDeclaration=- taxCode=-
uk no-ni-number=look: +soon NINumber=-
uk bank-number=look: +soon accountNumber='3192681'
uk person-details: DOB=- | dateOfJoining=- | payFrequency=-
uk person-details=look: +soon DOB=-

# Starters, P45 and loans
uk starter-details: dateOfJoining=2026-11-02 starterDeclaration=-
uk fine: dateOfJoining=2026-11-02 starterDeclaration=A
uk fine: dateOfJoining=2026-11-02 starterDeclaration=- p45GrossToDate=9000 p45TaxToDate=900
uk fine: +cis dateOfJoining=2026-11-02 starterDeclaration=- | starterDeclaration=-
uk p45-figures: p45GrossToDate=100 p45TaxToDate=5000 | p45TaxToDate=500
uk fine: p45GrossToDate=5000 p45TaxToDate=0 | p45GrossToDate=5000 p45TaxToDate=100
uk week-one: taxBasis=W1M1 dateOfJoining=2026-06-01 starterDeclaration=B
uk fine: taxBasis=W1M1 dateOfJoining=2026-10-20 starterDeclaration=B | taxBasis=CUMULATIVE
uk student-loan: haveStudentLoan=true | haveStudentLoan=false studentLoanPlan2StartDate=2026-05-11T
uk fine: haveStudentLoan=true studentLoanPlan2StartDate=2026-05-11T
uk fine: haveStudentLoan=true studentLoanPostGraStartDate=2026-05-11T | haveStudentLoan=false

# Holiday, margin, CIS
uk holiday-rate: holidayPayMethod=ROLLED_UP holidayPayRate=- | holidayPayMethod=ROLLED_UP holidayPayRate=0
uk holiday-rate: holidayPayMethod=ROLLED_UP holidayPayRate=5
uk holiday-rate: holidayPayMethod=ROLLED_UP holidayPayRate=0.1207
uk holiday-rate: holidayPayMethod=ROLLED_UP holidayPayRate=120.7
uk holiday-rate: holidayPayMethod=ROLLED_UP holidayPayRate=12.06
uk fine: holidayPayMethod=ROLLED_UP holidayPayRate=12.07 | holidayPayMethod=ROLLED_UP holidayPayRate=13.04
uk fine: holidayPayMethod=NO_HOLIDAY_PAY holidayPayRate=- | holidayPayMethod=NO_HOLIDAY_PAY holidayPayRate=0
ie holiday-rate: holidayPayMethod=ROLLED_UP holidayPayRate=7.9 | holidayPayMethod=ROLLED_UP holidayPayRate=-
ie fine: holidayPayMethod=ROLLED_UP holidayPayRate=8
uk margin: margin=-5 | margin=2500 rateHour=150 | margin=30 marginCapped=20
uk fine: margin=20 rateHour=20 | margin=20 marginCapped=25 | margin=-
uk cis-details: +cis UTRNo=- | +cis personalVerificationNumber=-
uk cis-details: paymentModel=CIS UTRNo='1123456789' personalVerificationNumber=- cisStatus=GROSS
uk fine: +cis | paymentModel=CIS UTRNo='1123456789' personalVerificationNumber=- cisStatus=UNVERIFIED_30%
uk fine: +cis verificationDate=2025-06-01 | +cis verificationDate=01/06/2026
uk cis-details: +cis verificationDate=2024-04-05
ie cis-details: paymentModel=CIS ppsNumber=- subcontractorRefNumber=-
ie fine: paymentModel=CIS ppsNumber=- subcontractorRefNumber=S-123

# Pensions
uk pension: postponementEndDate=2026-09-01T
uk fine: optInDate=2026-05-01T optOutDate=2026-06-01T
uk fine: postponementEndDate=2026-09-01T membershipStartDate=2026-09-01T
uk fine: postponementEndDate=2026-09-01T optOutDate=2026-09-10T | optInDate=2026-05-01T
uk fine: optOutDate=2026-05-01T optInDate=2026-06-01T
uk postponement-ends: postponementEndDate=2026-12-01T dateOfJoining=2026-09-01 starterDeclaration=A
uk pension: postponementEndDate=2027-07-01T dateOfJoining=2026-09-01 starterDeclaration=A
uk fine: postponementEndDate=2026-12-31T dateOfJoining=2026-10-01 starterDeclaration=A

# 2025/26: the rates of that year, and the weeks in which they change
on 2025-06-16
uk fine: rateHour=12.21 | rateHour=10 DOB=2006-06-17 | rateHour=7.55 DOB=2007-06-17
uk fine: rateHour=12.21 DOB=2004-06-16 | rateHour=7.55 DOB=2007-06-17 isApprentice=true
uk fine: rateHour=- annualSalary=23900 hours=37.5
uk below-minimum: rateHour=12.2 | rateHour=11.44 | rateHour=9.99 DOB=2006-06-17 | rateHour=12.2 DOB=2004-06-16
uk below-minimum: rateHour=10 DOB=2004-06-01 | rateHour=- annualSalary=23000 hours=37.5
on 2025-04-08
uk fine: sheet(2025-03-31 2025-04-06 37.5 rate=11.44) | sheet(2025-04-01 2025-04-07 37.5 rate=12.21)
uk fine: DOB=2007-04-01 sheet(2025-03-31 2025-04-06 37.5 rate=6.4)
uk below-minimum: sheet(2025-03-31 2025-04-06 37.5 rate=11.43) | sheet(2025-04-01 2025-04-07 37.5 rate=11.44)
uk below-minimum: DOB=2007-04-01 sheet(2025-04-01 2025-04-07 37.5 rate=9.99)
on 2025-06-16
ie fine: rateHour=13.5 | rateHour=12.15 DOB=2005-12-01 | rateHour=10.8 DOB=2006-12-01
ie fine: rateHour=9.45 DOB=2007-12-01
ie below-minimum: rateHour=13.49 | rateHour=12.14 DOB=2005-12-01 | rateHour=10.79 DOB=2006-12-01
ie below-minimum: rateHour=9.44 DOB=2007-12-01
uk ni-letter: DOB=1959-06-01 | DOB=1959-06-16 | DOB=1959-06-17 niCategory=C
uk fine: DOB=1959-06-17 | DOB=1959-06-16 niCategory=C
uk ni-letter: DOB=2004-06-16 niCategory=M | DOB=2000-06-16 niCategory=H isApprentice=true
uk fine: DOB=2004-06-17 niCategory=M | DOB=2000-06-17 niCategory=H isApprentice=true
ie doubtful-value: yearlyRateCutOff='4400.00'
ie fine: prsiEeClasses=A1 DOB=1958-06-01 | taxBasis=WEEK_1

# 2027: what is known goes on, and what is not is not guessed
on 2027-02-09
uk fine: rateHour=12.71 | niCategory=A DOB=1961-03-06 | niCategory=M DOB=2006-02-10
uk below-minimum: rateHour=12.7 | sheet(2027-02-01 2027-02-07 37.5 rate=12.5)
uk ni-letter: niCategory=C DOB=1961-03-06 | niCategory=M DOB=2006-02-09 | niCategory=A DOB=1960-06-09
# 66 and 8 months on 9 February 2027 is a birthday of 9 June 1960; two months later is 66 and 9 for December.
uk fine: niCategory=A DOB=1960-11-06 | niCategory=C DOB=1960-06-09
ie fine: rateHour=13 | yearlyRateCutOff='4400.00'
ie prsi-class: DOB=1957-02-09 prsiEeClasses=A1
ie fine: DOB=1958-02-09 prsiEeClasses=A1 | DOB=1957-02-09 prsiEeClasses=J0
ie fine: prsiEeClasses=J0 rateHour=15 hours=2
on 2027-04-20
uk fine: postponementEndDate=2027-03-01T hours=8 | niCategory=V dateOfJoining=2025-01-06
uk fine: rateHour=12 | sheet(2027-04-12 2027-04-18 37.5 rate=12)
uk below-minimum: sheet(2027-03-29 2027-04-04 37.5 rate=12.7)
uk ni-letter: niCategory=A DOB=1960-07-20 | niCategory=C DOB=1961-03-06
uk cis-details: +cis verificationDate=2025-04-05
uk fine: +cis verificationDate=2025-04-06

# Letters of children, and pensioners under another letter
on 2026-11-24
uk doubtful-value ni-letter: DOB=2011-06-01 niCategory=A
uk fine: DOB=2010-11-24 niCategory=M dateOfJoining=2026-11-24 starterDeclaration=A
uk fine: +zone DOB=1950-01-01 niCategory=S
uk ni-letter: DOB=1950-01-01 niCategory=V | DOB=1950-01-01 niCategory=M | DOB=1950-01-01 niCategory=X

# Ireland: J between 66 and 70 may be right, for whom a State Pension (Contributory) was awarded
ie prsi-class=look: DOB=1960-06-01 prsiEeClasses=J0 | DOB=1958-01-01 prsiEeClasses=J1
ie prsi-class=likely-wrong: DOB=1990-01-01 prsiEeClasses=J1 | DOB=1955-01-01 prsiEeClasses=A0
# The notification (RPN) that was fetched has all of these.
ie emergency-tax: yearlyRateCutOff=- | taxCreditAnnual=- | taxBasis=- | uscExemption=-
ie fine: uscExemption=- annual_zeroPointFive='12012' annual_two='28700' annual_fourPointFive='70044'
ie fine: uscExemption=EXEMPT
ie tax-details: ppsNumber=- taxBasis=EMERGENCY
# Only the UK postpones an assessment: My Future Fund has none.
ie fine: postponementEndDate=2026-12-01T

# Right to work: what statuses and nationalities are called
uk fine: +old nationality=- rightToWorkStatus=BRITISH | +old nationality=- rightToWorkStatus=IRISH
uk fine: +old nationality=- rightToWorkStatus=UK_NATIONAL
uk fine: +old nationality=- rightToWorkStatus='British national' | +old nationality=- rightToWorkStatus=ILR
uk fine: +old nationality=- rightToWorkStatus=RIGHT_OF_ABODE | +old nationality=- rightToWorkStatus=SETTLED
uk fine: +old nationality=- rightToWorkStatus=INDEFINITE_LEAVE | +old nationality=British/Nigerian
uk fine: +old nationality='Indian and British'
uk document-expired: +old nationality='British National (Overseas)' | +old nationality=Indian/Nigerian
uk document-expired: +old nationality='British Virgin Islander'
uk document-expired: +old nationality=Polish rightToWorkStatus=NOT_SETTLED
uk document-expires: nationality=Indian documentExpiryDate=2026-11-24
uk document-expires: nationality=Indian documentExpiryDate=2026-12-24 => expires on 24 December 2026
uk fine: nationality=Indian documentExpiryDate=2026-12-25
uk document-expired: nationality=Indian documentExpiryDate=2026-11-23 => expired on 23 November 2026
ie fine: +old nationality=- rightToWorkStatus=EU_CITIZEN | +old nationality=- rightToWorkStatus=EEA_CITIZEN
ie fine: +old nationality=- rightToWorkStatus=EU_EEA | +old nationality=- rightToWorkStatus=IRISH_CITIZEN
ie fine: +old nationality=- rightToWorkStatus=SWISS_CITIZEN | +old nationality=- rightToWorkStatus=UK_CITIZEN
ie fine: +old nationality=EU | +old nationality=Icelandic | +old nationality=Liechtenstein
ie document-expired: +old nationality=Turkish | +old nationality=Ukrainian | +old nationality=NON_EEA
ie document-expired: +old nationality=- rightToWorkStatus=NON_EU
ie document-expired: +old nationality=- rightToWorkStatus=STAMP_1
ie no-document-date: nationality=Indian rightToWorkStatus=NON_EEA
uk document-expired: +old nationality=- rightToWorkStatus=EU_CITIZEN

# Pensions: the postponement, and those who are nobody's concern
uk fine: postponementEndDate=2026-09-01T optState=OPTED_OUT
uk fine: postponementEndDate=2026-09-01T optState=ENROLLED
uk fine: postponementEndDate=2026-09-01T lastAssessmentOn=2026-09-02T
uk fine: postponementEndDate=2026-09-01T DOB=2007-01-01 dateOfJoining=2026-06-01 starterDeclaration=A
uk fine: postponementEndDate=2026-09-01T DOB=1950-01-01 niCategory=C | postponementEndDate=2026-09-01T hours=8
uk fine: postponementEndDate=2026-09-01T rateHour=- annualSalary=9000 hours=8
uk pension: postponementEndDate=2026-09-01T optState=ignition | postponementEndDate=2026-11-23T
uk pension: postponementEndDate=2027-03-01T | postponementEndDate=2026-09-01T lastAssessmentOn=2026-06-02T
uk pension=look: postponementEndDate=2026-09-01T hours=-
uk postponement-ends: postponementEndDate=2026-11-24T | postponementEndDate=2026-12-08T => postponed until 8 December 2026
uk fine: postponementEndDate=2027-02-20T | postponementEndDate=2026-12-09T

# An umbrella: most have a margin and are enrolled, so that nothing is a gap
on 2026-11-24 umbrella
uk fine: . | . | . | . | . | . | margin=15 | margin=25 marginCapped=25
uk margin=look: margin=- | margin=0 | margin=- dateOfJoining=2027-03-01 starterDeclaration=A
uk fine: +cis margin=- | margin=- dateLeft=2026-10-01 | margin=5 marginMethod=PERCENTAGE rateHour=14.9
uk margin=likely-wrong: margin=26 marginCapped=25 | margin=-1
uk below-minimum=look: rateHour=17.06
uk fine: rateHour=17.08 | rateHour=16.6 margin=25 marginMethod=MONTHLY
uk not-enrolled: +unassessed | +unassessed rateHour=- annualSalary=30000
uk not-enrolled: optState=ignition membershipStartDate=-
uk fine: +unassessed DOB=2005-01-01 | +unassessed DOB=1950-01-01 niCategory=C | +unassessed hours=6
uk fine: +unassessed rateHour=- annualSalary=9900 hours=10 | +unassessed optOutDate=2026-05-01T
uk fine: +unassessed postponementEndDate=2027-01-20T
uk fine: +unassessed dateOfJoining=2026-10-12 starterDeclaration=A | +unassessed lastAssessmentOn=2026-05-01T
uk fine: +cis +unassessed

# Rates that come with the timesheets: who has none is paid nothing, and lacks nothing
on 2026-11-24 rates of sheets
uk fine: . | . | sheet(2026-11-16 2026-11-22 37.5) | rateHour=20
uk no-rate: sheet(2026-11-16 2026-11-22 37.5 rate=0) => no hourly rate, no salary, and no rate on the timesheet

# CIS: what a status says, and what stands beside it
on 2026-11-24
uk cis-details: +cis cisStatus=- | +cis personalVerificationNumber=V1234567890AB
uk fine: paymentModel=CIS UTRNo='1123456789' personalVerificationNumber=V1234567890AB cisStatus=UNVERIFIED_30%
uk fine: +cis cisStatus=GROSS | +cis verificationDate=2024-04-06 | cisStatus=- UTRNo=-
uk cis-details: +cis UTRNo='1123456780' | +cis UTRNo='112345678'
ie fine: paymentModel=CIS subcontractorRefNumber=-

# Starters: a P45 is of another job of this year
uk doubtful-value: dateOfJoining=2026-11-02 starterDeclaration=A p45GrossToDate=9000 p45TaxToDate=900
uk fine: dateOfJoining=2026-11-02 starterDeclaration=B p45GrossToDate=9000 p45TaxToDate=900
uk fine: dateOfJoining=2026-11-02 starterDeclaration=C taxCode=BR p45GrossToDate=9000 p45TaxToDate=900
uk fine: dateOfJoining=2026-11-02 starterDeclaration=C taxCode=0T taxBasis=W1M1
uk fine: dateOfJoining=2026-11-02 starterDeclaration=B taxBasis=W1M1
uk fine: dateOfJoining=2026-11-02 starterDeclaration=A taxCode=S1257L
uk fine: starterDeclaration=A p45GrossToDate=9000 p45TaxToDate=900
uk doubtful-value: dateOfJoining=2026-11-02 starterDeclaration=C taxCode=1257L
uk doubtful-value: dateOfJoining=2026-11-02 starterDeclaration=A taxCode=BR
uk doubtful-value: dateOfJoining=2026-11-02 starterDeclaration=A taxBasis=W1M1
uk student-loan: haveStudentLoan=true studentLoanPlan1StartDate=2020-04-06T studentLoanPlan1EndDate=2024-04-06T
uk fine: haveStudentLoan=true studentLoanPlan1StartDate=2020-04-06T studentLoanPlan1EndDate=2027-04-06T
uk fine: haveStudentLoan=false studentLoanPlan1StartDate=2020-04-06T studentLoanPlan1EndDate=2024-04-06T
uk week-one: taxBasis=WEEK_1 dateOfJoining=2025-06-01
uk fine: taxBasis=W1M1 dateOfJoining=2026-09-01 starterDeclaration=B
# P9X: it is not carried into a new tax year.
on 2026-04-20
uk week-one: taxBasis=W1M1 dateOfJoining=2026-04-05
uk fine: taxBasis=W1M1 dateOfJoining=2026-04-06 starterDeclaration=B
on 2026-11-24
uk fine: sortCode=08-99-99 accountNumber='66374959' | sortCode='60 16 13' accountNumber='3192 6819'

# Holiday pay of the other country, and where there is none
uk holiday-rate: holidayPayMethod=ROLLED_UP holidayPayRate=8
uk fine: holidayPayMethod=ACCRUED holidayPayRate=- | +cis holidayPayMethod=ROLLED_UP holidayPayRate=12.07
uk fine: +cis holidayPayMethod=ROLLED_UP
ie fine: holidayPayMethod=ROLLED_UP holidayPayRate=12.07 | holidayPayMethod=ACCRUED holidayPayRate=8

# Hours of several timesheets of a week
uk too-many-hours=look: workingTimeRegulation=OPT_OUT sheet(2026-11-16 2026-11-22 40 assignmentRef=A1) sheet(2026-11-16 2026-11-22 21 assignmentRef=A2) => 61 hours; timesheet from 16 November 2026 to 22 November 2026; Working Time Regulations: OPT_OUT
uk too-many-hours=look: sheet(2026-11-16 2026-11-22 33 assignmentRef=A1) sheet(2026-11-17 2026-11-21 33 assignmentRef=A2)
uk too-many-hours=look: workingTimeRegulation=OPT_IN sheet(2026-11-16 2026-11-18 30 assignmentRef=A1) sheet(2026-11-19 2026-11-22 30 assignmentRef=A1)
uk too-many-hours=likely-wrong: sheet(2026-11-16 2026-11-16 15 assignmentRef=A1) sheet(2026-11-17 2026-11-17 15 assignmentRef=A1) sheet(2026-11-18 2026-11-18 15 assignmentRef=A1) sheet(2026-11-19 2026-11-19 15 assignmentRef=A1) sheet(2026-11-20 2026-11-20 15 assignmentRef=A1) sheet(2026-11-21 2026-11-21 15 assignmentRef=A1)
uk fine: sheet(2026-11-14 2026-11-20 33 assignmentRef=A1) sheet(2026-11-21 2026-11-27 33 assignmentRef=A1)
uk too-many-hours=look: sheet(2026-11-16 2026-11-22 33 assignmentRef=A1) sheet(2026-11-16 2026-11-22 33 assignmentRef=A2)
uk too-many-hours=look: workingTimeRegulation=OPT_IN sheet(2026-11-16 2026-11-22 25 assignmentRef=A1) sheet(2026-11-16 2026-11-22 25 assignmentRef=A2)
uk too-many-hours=likely-wrong: sheet(2026-11-16 2026-11-22 45 assignmentRef=A1) sheet(2026-11-16 2026-11-22 45 assignmentRef=A2)
uk fine: sheet(2026-11-16 2026-11-22 30 assignmentRef=A1) sheet(2026-11-16 2026-11-22 30 assignmentRef=A2)
uk fine: sheet(2026-11-09 2026-11-22 90)
ie too-many-hours=look: sheet(2026-11-09 2026-11-22 98)
uk doubtful-value: hours=70
uk overlapping-sheets: sheet(2026-11-16 2026-11-22 20 assignmentRef=A1) sheet(2026-11-16 2026-11-22 20 assignmentRef=A1)
uk overlapping-sheets: sheet(2026-11-16 2026-11-22 20 assignmentRef=a1) sheet(2026-11-16 2026-11-22 20 assignmentRef=A1)

# Work that is not paid for: the last payslip is of an earlier tax week than the end of the work
uk unpaid-work: sheet(2026-11-02 2026-11-08 37.5) slip('Week 30' 600) | sheet(2026-11-02 2026-11-08 37.5) slip('30' 600)
uk fine: sheet(2026-11-02 2026-11-08 37.5) slip('Week 31' 600) | sheet(2026-11-09 2026-11-15 37.5) slip('Week 30' 600)
uk fine: payFrequency=MONTHLY sheet(2026-11-02 2026-11-08 37.5) slip('Month 6' 600)
uk fine: sheet(2026-11-02 2026-11-08 0 rate=0 status=REJECTED) slip('Week 30' 600)
ie unpaid-work: sheet(2026-11-02 2026-11-08 37.5) slip('Week 44' 600 taxYear=2026)
ie fine: sheet(2026-11-02 2026-11-08 37.5) slip('Week 45' 600 taxYear=2026)

# Payslips: those of the last period of each
uk fine: slip('Week 32' -600) slip('Week 33' 620) | slip('Week 33' 900)
uk fine: slip('Week 32' 600) slip('Week 33' 300 agencyName='One Ltd') slip('Week 33' 320 agencyName='Two Ltd')
uk fine: slip('Week 31' 600) slip('Week 31' 600) slip('Week 32' 600) slip('Week 33' 600)
uk fine: slip('Week 32' 600) slip('Week 33' 600 net=480)
uk payslip-amount: slip('Week 33' -1) => gross pay of -£1.00 in week 33 of 2026/27 | slip('W33' -1) => gross pay of -£1.00 in week 33 of 2026/27 | slip('Tax Week 33' -1) => gross pay of -£1.00 in week 33 of 2026/27
uk payslip-amount: slip('33' -1) => gross pay of -£1.00 in period 33 of 2026/27 | slip('33.0' -1) => gross pay of -£1.00 in period 33 of 2026/27
uk payslip-amount: slip('Month 8' -1) => gross pay of -£1.00 in month 8 of 2026/27 | slip('M8' -1) => gross pay of -£1.00 in month 8 of 2026/27
uk fine: slip('1 May 2026' -1) | slip('21/11/2026' -1)
uk payslip-amount: slip('Week 33' 0) | slip('Week 33' -20) | slip('Week 32' 600) slip('Week 33' 600 net=0)
uk payslip-amount: slip('Week 32' 600) slip('Week 33' 600 net=-3) | slip('Week 30' -20)
uk payslip-twice=likely-wrong: slip('Week 33' 600) slip('Week 33' 600)
uk payslip-twice=likely-wrong: slip('Week 33' 600 agencyName='One Ltd') slip('Week 33' 600 agencyName='One Ltd')
uk payslip-twice=look: slip('Week 33' 600) slip('Week 33' 150) | slip('Week 33' -) slip('Week 33' -)
uk fine: slip('Week 33' 600) slip('Week 33' 600 status=CANCELLED)
# One that was taken back and issued again is one; and of one that was only taken back nothing is left.
uk fine: slip('Week 33' 600) slip('Week 33' -600) slip('Week 33' 600)
uk payslip-amount payslip-twice=look: slip('Week 33' 600) slip('Week 33' -600)
# One of long ago.
uk fine: slip('Week 50' -20 taxYear=2024/25)
uk fine: payFrequency=MONTHLY slip('Month 7' 2000) slip('Month 6' -2000)
uk payslip-amount: slip('Week 50' 600 taxYear=2025/26) slip('Week 30' -600)
# Those of the other country are somebody else's, or of another job.
uk payslip-amount: slip('Week 33' -20) slip('Week 47' 500 taxYear=2026)
uk fine: dateLeft=2026-08-01 slip('Week 10' 0) | dateLeft=2026-08-24 slip('Week 33' 600)
uk fine: dateLeft=2026-04-24 slip('Week 17' 600)
uk paid-after-leaving: dateLeft=2026-08-22 slip('Week 33' 600)

# What looks wrong and is right
ie fine: prsiEeClasses=J0 rateHour=15 hours=2 | +old nationality=Poland
ie fine: +old nationality='Republic of Ireland' | +old nationality=Czechia
ie prsi-class: prsiEeClasses=J0 rateHour=15 hours=3 | prsiEeClasses=J0 hours=-
ie emergency-tax: yearlyRateCutOff=- taxCreditAnnual=- taxBasis=-
ie document-expired: +old nationality=Brazil | +old nationality=Turkey
uk fine: +old nationality='United Kingdom' | +old nationality='Northern Ireland' | +old nationality=Ireland
uk fine: +old nationality=- rightToWorkStatus=LIST_A
uk document-expired: +old nationality=Poland | +old nationality=- rightToWorkStatus=LIST_B
`

/** The words of a text, of which those in quotation marks are one. */
const wordsOf = (text: string) => text.match(/(?:\w+\([^)]*\)|'[^']*'|[^\s'])+/g) ?? []

function readValue(text: string): Json {
  if (text === '-') return null
  if (text === 'true' || text === 'false') return text === 'true'
  if (text.startsWith("'")) return text.slice(1, -1)
  if (/^\d{4}-\d\d-\d\dT$/.test(text)) return `${text}00:00:00.000Z`
  return Number.isNaN(Number(text)) ? text : Number(text)
}

/** `name=value` of each word; the words without a name have these, one after another. */
function fieldsOf(words: readonly string[], [...names]: readonly string[]): Fields {
  return Object.fromEntries(
    words.map((word) => {
      const [, name = names.shift() ?? '', value = ''] = /^(?:(\w+)=)?(.*)$/s.exec(word) ?? []
      return [name, readValue(value)]
    }),
  )
}

/** A person of the table. */
function personOf(text: string): Pick<Case, 'fields' | 'sheets' | 'slips'> {
  const words = wordsOf(text)
  const odd = words.filter((word) => !/^(\w+=|sheet\(|slip\(|\.$)/.test(word))
  if (odd.length > 0) throw new Error(`${text}: ${odd.join(' ')}`)
  const inside = (kind: string, names: readonly string[]) =>
    words.flatMap((word) =>
      word.startsWith(`${kind}(`) ? [fieldsOf(wordsOf(word.slice(kind.length + 1, -1)), names)] : [],
    )
  const own = words.filter((word) => /^\w+=/.test(word))
  return {
    fields: fieldsOf(own, []),
    sheets: inside('sheet', ['startDate', 'endDate', 'hours']),
    slips: inside('slip', ['taxPeriod', 'gross']).map((each) => ({ taxYear: '2026/27', ...each })),
  }
}

function readCases(): readonly Case[] {
  const named = new Map<string, string>()
  const found: Case[] = []
  let on = ''
  for (const line of table.split('\n')) {
    const [, name, meaning = ''] = /^(\w+) := (.*)$/.exec(line) ?? []
    const [, country, rules = '', people = ''] = /^(uk|ie) ([^:]+): (.*)$/.exec(line) ?? []
    if (name !== undefined) named.set(name, meaning)
    else if (line.startsWith('on ')) on = line.slice(3)
    else if (country === undefined && line !== '' && !line.startsWith('#')) throw new Error(line)
    for (const person of country === undefined ? [] : people.split(' | ')) {
      const [given = '', sees] = person.split(' => ')
      const text = given.replace(/\+(\w+)/g, (_, group) => named.get(group) ?? `+${group}`)
      const place = country === 'uk' ? 'uk' : 'ireland'
      const finds = rules === 'fine' ? [] : rules.split(' ').sort()
      found.push({ on, place, finds, sees, ...personOf(text) })
    }
  }
  return found
}

export const cases = readCases()
