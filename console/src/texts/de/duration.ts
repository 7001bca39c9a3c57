import type en from '../en/duration.ts'

const de: typeof en = {
  unitOf: (label) => `Einheit von ${label}`,
  units: { seconds: 'Sekunden', minutes: 'Minuten', hours: 'Stunden', days: 'Tage' },
}

export default de
