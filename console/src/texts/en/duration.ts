export default {
  unitOf: (label: string) => `Unit of ${label}`,
  units: { seconds: 'seconds', minutes: 'minutes', hours: 'hours', days: 'days' },
}
