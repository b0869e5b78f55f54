/** Usual headings by field, separated by bars; a section has the headings of its fields. */
export interface Headings {
  readonly [name: string]: string | Headings
}

/** The usual headings of exports. Every word counts; capitals, punctuation and `No` for `Number` do not. */
const generalSetting: Headings = {
  agencyRef:
    'ref | ref no | employee ref | employee ref no | worker ref no | payroll ref no | candidate no | temp no | temp id | pay ref | employee no | employee id | employee code | works no | payroll no | payroll id | payroll ref | staff no | staff id | staff ref | worker ref | worker id | worker no | candidate ref | candidate id | agency ref | our ref | personnel no | clock no | emp no | emp id | emp ref | contractor ref',
  title: 'salutation | honorific',
  forename: 'forenames | first | first name | first names | given name | given names | christian name',
  surname: 'surnames | last | last name | family name | second name',
  gender: 'sex',
  DOB: 'dob | birth date | birthday | birthdate',
  maritalStatus: 'civil status',
  nationality: 'citizenship',
  NINumber: 'nino | ni no | nat ins no | national insurance | national insurance no',
  address: 'address line | home address | street | street address | house and street | addr | addr line',
  city: 'town | city | town city | city town | post town | town or city',
  county: 'county or region',
  postCode: 'home postcode | post code | p code | zip | zip code | postal code',
  eircode: 'eir code | postcode | post code | postal code | zip | zip code',
  country: 'country of residence | home country | country code',
  mobile:
    'mobile no | mobile phone | phone | phone no | telephone | telephone no | tel | tel no | cell | cell phone | contact no | contact phone | contact tel | mobile telephone',
  email: 'email address | email addr | personal email | home email',
  dateOfJoining:
    'date of joining | start date | date started | date joined | joining date | join date | date of hire | hire date | employment start date | employment start | date of commencement | commencement date | date commenced | date of start | started | start',
  jobDescription: 'job description | job title | job | position | role | occupation',
  department: 'dept',
  payFrequency: 'frequency | freq | payment frequency | payroll frequency | pay freq | pay cycle',
  payMethod: 'payment method | method of payment | paid by',
  annualSalary:
    'annual salary | salary | annual pay | yearly salary | basic salary | salary per annum | salary pa',
  rateHour:
    'hourly rate | rate per hour | hourly pay | pay rate hourly | hr rate | rate per hr | pay rate p h | rate p h | pay rate per hour | pay rate ph | rate ph | rate h | rate hr | rate hour | pay rate h | pay rate hr',
  hours:
    'hours | weekly hours | hours per week | contracted hours | contract hours | standard hours | normal hours | hours pw | hrs p w | hours p w | hrs pw | hrs per week | weekly hrs',
  rightToWorkStatus: 'right to work status | rtw | rtw status',
  documentType: 'rtw document type | id document type',
  documentExpiryDate: 'document expiry | document expiry date | rtw expiry | right to work expiry',
  emergencyName: 'emergency contact | emergency contact name | next of kin | next of kin name | ice name',
  emergencyMobile:
    'emergency contact no | emergency contact phone | emergency contact mobile | emergency contact telephone | emergency phone | next of kin phone | next of kin telephone | emergency telephone | ice phone',
  emergencyEmail: 'emergency contact email | emergency email | next of kin email',
}

const bankSetting: Headings = {
  bankName: 'bank | name of bank | bank building society | bank or building society',
  accountName:
    'acc name | account holder | account holder name | bank account name | name on account | name of account holder',
  sortCode:
    'sort code | sort | bank sort code | bank account sort code | nsc | national sort code | sorting code',
  accountNumber: 'account no | bank account no | bank account | acc no | acct no | ac no',
  buildingSocietyNumber:
    'building society roll no | roll no | building society ref | building society no | bs roll no | bank roll no',
  IBANReference: 'iban | iban no | bank iban',
  SWIFTNo: 'bic | swift | bic swift | bic swift code | swift bic | swift code | bic code | swift no',
}

const payrollSetting: Headings = {
  ppsNumber: 'pps | ppsn | pps no | personal public service no | pps no ppsn',
  paymentModel: 'paid as | engagement | engagement type | paye or cis',
  taxCode: 'paye code | tax code no',
  taxBasis: 'basis | week 1 month 1 | wk1 mth1 | w1m1 | tax basis week 1',
  niCategory:
    'ni letter | ni category | ni cat | nic table | nic table letter | ni table | ni table letter | ni code | national insurance category | national insurance letter | nic letter | nic category',
  starterDeclaration:
    'starter statement | starter checklist | new starter declaration | new starter statement | employee statement | p46 statement | starter declaration statement',
  haveStudentLoan: 'student loan | has student loan | student loan deduction',
  p45GrossToDate: 'p45 pay | pay in previous employment | p45 gross | p45 taxable pay',
  p45TaxToDate: 'p45 tax | tax in previous employment | p45 tax paid',
  isNIDirector: 'director | is director | director for ni',
  NIDirectorStartDate: 'director since | directorship start',
  cisStatus: 'cis status | cis rate | cis deduction rate | rct rate | rct status',
  taxCreditAnnual:
    'tax credit a year | tax credits | tax credit | annual tax credits | annual tax credit | yearly tax credits | yearly tax credit',
  yearlyRateCutOff:
    'rate cut off a year | srcop | standard rate cut off point | standard rate cut off | rate cut off | rate cut off point | cut off point | cut off | yearly cut off | annual cut off | annual rate cut off | yearly standard rate cut off point | tax cut off | std rate cut off',
  prsiEeClasses: 'prsi class | prsi code | prsi category | prsi subclass',
  uscExemption: 'usc exemption | usc status | usc exempt',
  annual_zeroPointFive:
    'usc cut off 1 | usc band 1 | usc cop 1 | usc 1 cut off | usc cut off point 1 | usc 0 5 cut off',
  annual_two: 'usc cut off 2 | usc band 2 | usc cop 2 | usc 2 cut off | usc cut off point 2',
  annual_fourPointFive: 'usc cut off 3 | usc band 3 | usc cop 3 | usc 3 cut off | usc cut off point 3',
  totalLPTToBeDeducted: 'lpt | local property tax',
  UTRNo: 'utr | utr no | unique tax ref',
  VATRegNo: 'vat no | vat reg no | vat registration',
  companyName: 'limited company | limited company name',
  registrationNumber: 'company no | company reg no | crn',
}

/** Usual headings of the fields, by their paths; a bar parts them. */
export const headings: Headings = {
  generalSetting: {
    ...generalSetting,
    pensionSetting: {
      optState: 'enrolment status | ae status',
      pensionCalculationType: 'calculation type | pension calculation type | tax relief',
      scheme: 'pension scheme name',
      reference: 'pension ref | pension scheme ref',
    },
  },
  bankSetting,
  payrollSetting,
  subcontractorRef: generalSetting.agencyRef ?? '',
  assignmentRef: 'assignment | assignment no | assignment id | placement | placement ref | placement id',
  startDate:
    'start | start date | week start | week starting | week commencing | week beginning | period start | date from | w c',
  endDate:
    'to | end | end date | week end | week ending | week ended | weekending | week ending date | week end date | week ended date | wk ending | wk end | w e date | period end | period ending | date to | w e | we date | we',
  dayWorked:
    'date worked | worked date | work date | date of work | worked on | day date | working day | shift date | date of shift | hours date',
  weekday: 'day | day of week | day of the week | week day | day name | name of day',
  'rates[0]': {
    units:
      'hours or days | hrs | units | qty | quantity | hours worked | hrs worked | worked hours | total hours | total hrs | no of hours | std hours | standard hours | basic hours | basic hrs | std hrs | hrs p w | hours p w | hrs pw | hours pw | hrs per week | hours per week | hrs week | hours week | hrs wk | weekly hours',
    rate: 'rate | hourly rate | rate per hour | pay rate p h | rate p h | rate ph | rate h | rate hr | rate hour | pay rate h | pay rate hr | pay rate per hour | hourly pay | rate of pay',
    rateId:
      'rate code | pay code | rate id | rate type | pay element | pay type | payment code | payment rate code | shift type | hours type',
    vatID: 'vat | vat type',
  },
  code: 'rate code | pay code | payment code | payment rate code',
  defaultVATCode: 'vat | vat code | vat type',
  taxYear: 'tax yr | paye year',
  approved:
    'client approved | hours approved | timesheet approved | approval | approval status | authorised | authorized | signed off | approved y n',
  taxWeek: 'tax week no | tax wk | week no | paye week | hmrc week',
  taxMonth: 'tax month no | tax mth | paye month | hmrc month | month no',
  personForename: generalSetting.forename ?? '',
  personSurname: generalSetting.surname ?? '',
  personName:
    'name | full name | worker | worker name | employee | employee name | candidate | candidate name | staff name | contractor | contractor name | consultant | consultant name',
}

/** Headings that may mean several fields, or a part of one, parted by bars: they are asked about, and never guessed. */
export const ambiguousHeadings: Readonly<Record<string, readonly string[]>> = {
  date: ['endDate', 'startDate', 'dayWorked'],
  week: ['endDate', 'taxWeek'],
  'period | pay period': ['taxWeek', 'taxMonth', 'endDate'],
  'name | full name | employee name | worker | worker name | employee | candidate name | staff name | contractor name | consultant':
    ['generalSetting.forename', 'generalSetting.surname', 'bankSetting.accountName'],
  'rate | pay rate | wage | wages': ['generalSetting.rateHour', 'generalSetting.annualSalary'],
  pay: ['generalSetting.rateHour', 'generalSetting.annualSalary', 'rates[0].rate'],
  // The basis of a tax code, or both in one cell.
  'tax code basis': ['payrollSetting.taxCode', 'payrollSetting.taxBasis'],
  'student loan plan | plan type': [
    'payrollSetting.haveStudentLoan',
    'payrollSetting.studentLoanPlan2StartDate',
  ],
  'usc cut off': ['payrollSetting.annual_zeroPointFive', 'payrollSetting.annual_two'],
  ni: ['generalSetting.NINumber', 'payrollSetting.niCategory'],
  prsi: ['payrollSetting.prsiEeClasses'],
  'week 1 | month 1 | w1 | m1': ['payrollSetting.taxBasis'],
  'leaving date | leave date | end date': ['dateLeft'],
  leaver: ['dateLeft', 'status', 'reason'],
  'bank details': ['bankSetting.sortCode', 'bankSetting.accountNumber', 'bankSetting.IBANReference'],
}
