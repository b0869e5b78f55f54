/** The first cell of the sheet that explains a workbook to fill in. A sheet that begins so has no data. */
export const notesTitle = 'What the columns mean (payroll does not import this sheet)'
