export default {
  preferencesHint: 'They apply to this browser.',
  language: 'Language',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  zone: 'Time zone',
  zones: { browser: 'Yours', UTC: 'UTC' },
  times: 'Times',
  timeForms: { relative: 'Relative', exact: 'Exact' },
  density: 'Rows',
  densities: { comfortable: 'Comfortable', compact: 'Compact' },
  singleKeys: 'Single-key shortcuts',
  onOff: { on: 'On', off: 'Off' },
}
