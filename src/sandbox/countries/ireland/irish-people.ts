import type { Person } from '../sandbox-country.ts'

/** Twenty people paid in Ireland. The code is an Eircode. */
export const irishPeople: readonly Person[] = [
  ['Áine', 'Ní Shampla', 'FEMALE', '1990-05-05', 'Dublin', 'A65 F4E2', 'Staff nurse', 27.5],
  ['Brían', "O'Sample", 'MALE', '1983-09-18', 'Dublin', 'D02 X285', 'Steel fixer', 26.8],
  ['Caoimhe', 'Testington', 'FEMALE', '1997-02-07', 'Dublin', 'D6W PV38', 'Pharmacist', 38.25],
  ['Dónal', 'Mac Sampla', 'MALE', '1976-11-23', 'Rush', 'K67 KR86', 'Quantity surveyor', 41],
  ['Éabha', 'Placeholder', 'FEMALE', '2001-06-30', 'Dublin', 'D02 C383', 'Healthcare assistant', 16.2],
  ['Fiadh', "O'Dummy", 'FEMALE', '2000-08-15', 'Dublin', 'D02 TN83', 'Laboratory analyst', 24.4],
  ['Gearóid', 'Example', 'MALE', '1988-01-09', 'Dublin', 'D05 FY62', 'Electrician', 28.9],
  ['Hanna', 'Näyte', 'FEMALE', '1992-12-12', 'Dublin', 'D02 X285', 'Data analyst', 36.5],
  ['Iarlaith', 'Specimen', 'MALE', '1981-04-28', 'Rush', 'K67 KR86', 'Plumber', 27.6],
  ['Jane', "D'Specimen", 'FEMALE', '1985-10-10', 'Dublin', 'D6W PV38', 'Social care worker', 21.75],
  ['Katarzyna', 'Próbka', 'FEMALE', '1994-03-17', 'Dublin', 'D02 C383', 'Warehouse operative', 14.8],
  ['Lorcán', 'Fixture', 'MALE', '1999-07-07', 'Dublin', 'D05 FY62', 'Carpenter', 25.3],
  ['Máirín', 'Uí Shampla', 'FEMALE', '1973-02-20', 'Dublin', 'A65 F4E2', 'Theatre nurse', 32.1],
  ['Nóra', 'Fakeberg', 'FEMALE', '1996-09-01', 'Dublin', 'D02 TN83', 'Supply teacher', 33.4],
  ['Oisín', "O'Mock", 'MALE', '1993-05-26', 'Rush', 'K67 KR86', 'Site engineer', 34.75],
  ['Pádraig', 'Demo', 'MALE', '1978-12-03', 'Dublin', 'D05 FY62', 'Crane operator', 30.2],
  ['Ríona', 'Stand-In', 'FEMALE', '1991-01-31', 'Dublin', 'D02 X285', 'Dental nurse', 19.9],
  ['Séamus', 'Testcase', 'MALE', '1969-06-06', 'Dublin', 'D6W PV38', 'Security officer', 15.95],
  ['Tuğçe', 'Örnek', 'FEMALE', '1998-08-19', 'Dublin', 'D02 C383', 'Software engineer', 52],
  ['Úna', 'Nobody', 'FEMALE', '1987-11-11', 'Dublin', 'D02 TN83', 'Occupational therapist', 31.6],
]
