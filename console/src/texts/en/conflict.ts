export default {
  changedMeanwhile: 'Another administrator has changed this meanwhile',
  changedMeanwhileDescription: 'Your changes have not been saved yet. Choose what to keep in each field that you have changed.',
  theirs: 'Theirs',
  yours: 'Yours',
  takeTheirs: 'Take theirs',
  keepYours: 'Save yours',
  keepChosen: 'Save what is chosen',
  keep: 'Keep',
  keepOf: (field: string) => `Keep for ${field}`,
  andTheSame: (count: number) => `and ${count} in both`,
  allTheSame: (count: number) => `${count} in both`,
  somebody: 'Somebody',
}
