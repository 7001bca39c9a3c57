export default {
  reason: (text: string) => `Reason: ${text}`,
  asCreated: (count: number) => (count === 1 ? 'With 1 field' : `With ${count} fields`),
  openEntry: 'Open in the audit log',
  ofGone: 'What has happened to it',

  timeTravel: 'As of',
  timeTravelHint: 'Goes back through the changes below and shows what was different then.',
  now: 'Now',
  before: (time: string) => `Before ${time}`,
  asItIs: 'This is the record as it is now.',
  sameAsNow: 'Nothing was different then.',
  field: 'Field',
  former: 'Then',
  restore: 'Restore',
  restoreQuestion: (field: string) => `Restore ${field}?`,
  restoreField: (field: string) => `Restore ${field}`,
}
