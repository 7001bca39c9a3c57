export default {
  unitOf: (label: string) => `Unit of ${label}`,
  units: { seconds: 'Seconds', minutes: 'Minutes', hours: 'Hours', days: 'Days' },
}
