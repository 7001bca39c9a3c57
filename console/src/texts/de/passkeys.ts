import type en from '../en/passkeys.ts'

const de: typeof en = {
  empty: 'Kein Passkey',
  emptyDescription: 'Benutzer fügen Passkeys selbst hinzu, in ihrem Konto oder wenn eine Anmeldung es verlangt.',
  name: 'Name',
  use: 'Verwendung',
  signsIn: 'Zum Anmelden',
  secondFactorOnly: 'Nur zweiter Faktor',
  copies: 'Andere Geräte',
  synced: 'Synchronisiert',
  notSynced: 'Auf einem Gerät',
  created: 'Angelegt',
  lastUsed: 'Zuletzt verwendet',
  unknownProvider: 'Unbekanntes Fabrikat',
  delete: 'Löschen',
  deleteName: (name) => `${name} löschen`,
  deleteQuestion: (passkey, user) => `Den Passkey ${passkey} von ${user} löschen?`,
  effect: (user) => `Er gilt sofort nicht mehr. Alle Sitzungen von ${user} enden, und eine E-Mail sagt es der Person.`,
  effectOnYou: 'Er gilt sofort nicht mehr. Alle Ihre Sitzungen enden, auch diese, und eine E-Mail sagt es Ihnen.',
  lastOne: 'Wer sich anders nicht mehr anmelden kann, bekommt per E-Mail einen Link zum Setzen eines Passworts.',
  ownersOnly: 'Einen Passkey des Inhabers löscht nur der Inhaber',
  deleted: (name) => `Der Passkey ${name} ist gelöscht`,
}

export default de
