import type en from '../en/time-filter.ts'

const de: typeof en = {
  time: 'Zeit',
  anyTime: 'Jede Zeit',
  lastHours: [
    { hours: 1, label: 'Letzte Stunde' },
    { hours: 24, label: 'Letzte 24 Stunden' },
    { hours: 7 * 24, label: 'Letzte 7 Tage' },
    { hours: 30 * 24, label: 'Letzte 30 Tage' },
  ],
  ownPeriod: 'Von … bis …',
  since: 'Von',
  until: 'Bis',
}

export default de
