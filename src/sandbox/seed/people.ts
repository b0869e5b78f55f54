/** A made-up person, as one short row. */
export type Person = readonly [
  forename: string,
  surname: string,
  gender: 'FEMALE' | 'MALE',
  birth: string,
  city: string,
  code: string,
  job: string,
  hourlyRate: number,
]

/** Twenty people paid in the UK. The code is a postcode. */
export const ukPeople: readonly Person[] = [
  ['Amélie', 'Sample', 'FEMALE', '1988-02-29', 'London', 'SW1A 1AA', 'Staff nurse', 21.4],
  ['Bronagh', "O'Example", 'FEMALE', '1991-07-03', 'Newry', 'BT35 8GE', 'Care assistant', 13.25],
  ['Callum', 'McSample', 'MALE', '1985-11-17', 'Manchester', 'M1 1AA', 'Electrician', 24],
  ['Dafydd', 'ap Example', 'MALE', '1979-05-30', 'London', 'EC1A 1BB', 'Site manager', 31.5],
  ['Eilidh', 'Fakenham-Test', 'FEMALE', '1996-01-12', 'London', 'W1A 1HQ', 'Supply teacher', 26.1],
  ['Finn', 'Placeholder', 'MALE', '2004-08-24', 'Croydon', 'CR2 6XH', 'Warehouse operative', 12.75],
  ['Gwenllïan', 'Dummy', 'FEMALE', '1993-10-05', 'Doncaster', 'DN55 1PT', 'Physiotherapist', 28.2],
  ['Harpreet', 'Specimen', 'FEMALE', '1987-03-19', 'London', 'SW1A 1AA', 'Software tester', 42],
  ['Iñigo', 'Ejemplo', 'MALE', '1990-12-01', 'Manchester', 'M60 1NW', 'Chef de partie', 15.6],
  ['Jürgen', 'Mustermann', 'MALE', '1982-06-14', 'London', 'EC1A 1BB', 'Crane operator', 29.75],
  ['Kateřina', 'Vzorová', 'FEMALE', '1998-04-22', 'Croydon', 'CR2 6XH', 'Pharmacy technician', 17.3],
  ['Luca', "D'Esempio", 'MALE', '1994-09-09', 'Manchester', 'M1 1AA', 'Pipefitter', 25.5],
  ['Małgorzata', 'Przykład', 'FEMALE', '1989-01-27', 'Doncaster', 'DN55 1PT', 'Forklift driver', 14.9],
  ['Niamh', 'de Sample', 'FEMALE', '1999-05-16', 'Newry', 'BT35 8GE', 'Radiographer', 27.8],
  ['Oluwaseun', 'Test', 'MALE', '1984-08-08', 'London', 'W1A 1HQ', 'Social worker', 30.4],
  ['Pippa', 'Fixture', 'FEMALE', '2006-02-11', 'Manchester', 'M60 1NW', 'Apprentice joiner', 8.6],
  ['Quentin', 'Sampleton-Smythe', 'MALE', '1971-10-31', 'London', 'SW1A 1AA', 'Project manager', 55],
  ['Renée', 'Mock', 'FEMALE', '1992-03-02', 'Croydon', 'CR2 6XH', 'Midwife', 25.9],
  ['Søren', 'Eksempel', 'MALE', '1986-07-21', 'Newry', 'BT35 8GE', 'Wind turbine technician', 33.1],
  ['Thandiwe', 'Demo', 'FEMALE', '1995-12-24', 'Doncaster', 'DN55 1PT', 'Train dispatcher', 16.45],
]

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
