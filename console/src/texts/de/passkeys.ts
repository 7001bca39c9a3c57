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
  unknownProvider: 'Unbekannter Anbieter',
  delete: 'Löschen',
  deleteName: (name) => `${name} löschen`,
  deleteQuestion: (passkey, user) => `Den Passkey ${passkey} von ${user} löschen?`,
  effect: (user) => `Er funktioniert sofort nicht mehr. Alle Sitzungen von ${user} enden. Der Benutzer erhält eine E-Mail darüber.`,
  effectOnYou: 'Er funktioniert sofort nicht mehr. Alle Ihre Sitzungen enden, auch diese. Sie erhalten eine E-Mail darüber.',
  lastOne: 'Gibt es keinen anderen Weg, sich anzumelden, kommt per E-Mail ein Link zum Setzen eines Passworts.',
  ownersOnly: 'Passkeys des Inhabers kann nur der Inhaber löschen',
  deleted: (name) => `Der Passkey ${name} ist gelöscht`,
}

export default de
