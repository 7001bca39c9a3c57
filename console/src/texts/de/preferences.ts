import type en from '../en/preferences.ts'

const de: typeof en = {
  preferencesHint: 'Sie gelten für diesen Browser.',
  language: 'Sprache',
  theme: 'Farben',
  themes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
  zone: 'Zeitzone',
  zones: { browser: 'Ihre', UTC: 'UTC' },
  times: 'Zeiten',
  timeForms: { relative: 'Relativ', exact: 'Genau' },
  density: 'Zeilen',
  densities: { comfortable: 'Normal', compact: 'Kompakt' },
  singleKeys: 'Tastenkürzel mit einer Taste',
  onOff: { on: 'An', off: 'Aus' },
}

export default de
