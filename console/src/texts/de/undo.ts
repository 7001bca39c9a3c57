import type en from '../en/undo.ts'

const de: typeof en = {
  question: 'Diese Änderung rückgängig machen?',
  action: 'Änderung rückgängig machen',
  notNow: 'Das lässt sich nicht rückgängig machen',
  follows: 'Das geschieht durch eine eigene Änderung. Im Audit-Protokoll wird dann stehen:',
  whole: (count) => (count === 1 ? 'Alles, was dazugehörte: 1 Feld' : `Alles, was dazugehörte: ${count} Felder`),
  field: 'Feld',
  left: 'Nach diesem Eintrag',
  now: 'Jetzt',
  changed: 'Zuletzt geändert',
  byAt: (name, time) => `${name}, ${time}`,
  deletedBy: (name, time) => `Gelöscht von ${name}, ${time}.`,
  system: 'dem Dienst',
  notKnown: 'Nicht im Audit-Protokoll',
  undone: 'Rückgängig gemacht',
}

export default de
