import type en from '../en/history.ts'

const de: typeof en = {
  reason: (text) => `Grund: ${text}`,
  asCreated: (count) => (count === 1 ? 'Mit 1 Feld' : `Mit ${count} Feldern`),
  openEntry: 'Im Audit-Protokoll öffnen',
  ofGone: 'Was damit geschehen ist',

  timeTravel: 'Stand vom',
  timeTravelHint: 'Geht die Änderungen unten zurück und zeigt, was damals anders war.',
  now: 'Jetzt',
  before: (time) => `Vor ${time}`,
  asItIs: 'Das ist der aktuelle Stand.',
  sameAsNow: 'Seitdem hat sich nichts geändert.',
  field: 'Feld',
  former: 'Damals',
  restore: 'Wiederherstellen',
  restoreQuestion: (field) => `${field} wiederherstellen?`,
  restoreField: (field) => `${field} wiederherstellen`,
}

export default de
