import type en from '../en/undo.ts'

const de: typeof en = {
  question: 'Diese Änderung rückgängig machen?',
  action: 'Änderung rückgängig machen',
  notNow: 'Das lässt sich nicht rückgängig machen',
  follows: 'Das ist eine neue Änderung. Im Audit-Protokoll steht danach:',
  field: 'Feld',
  left: 'Nach diesem Eintrag',
  now: 'Jetzt',
  changedBy: (name, time) => `Geändert von ${name}, ${time}`,
  deletedBy: (name, time) => `Gelöscht von ${name}, ${time}.`,
  system: 'dem Dienst',
  changedByUnknown: 'Im Audit-Protokoll steht nicht, wer es geändert hat',
  undone: 'Rückgängig gemacht',
  staysBlocked: 'Auch ein Verzeichnis hat den Benutzer deaktiviert: Er bleibt gesperrt, bis auch das aufgehoben wird.',
}

export default de
