export default {
  time: 'Time',
  anyTime: 'Any time',
  lastHours: [
    { hours: 1, label: 'Last hour' },
    { hours: 24, label: 'Last 24 hours' },
    { hours: 7 * 24, label: 'Last 7 days' },
    { hours: 30 * 24, label: 'Last 30 days' },
  ],
  ownPeriod: 'From … to …',
  since: 'From',
  until: 'To',
}
