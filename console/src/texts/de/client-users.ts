import type en from '../en/client-users.ts'

const de: typeof en = {
  user: 'Benutzer',
  noUsers: 'Noch hat kein Benutzer sie zugelassen',
  noUsersDescription: 'Hier erscheinen Benutzer, die der Anwendung etwas erlaubt haben.',
  moreUsers: (count) => `${count} weitere Benutzer haben sie zugelassen. Auch ihre eigenen Seiten zeigen es.`,
  mayDo: 'Darf',
  allowedFor: 'Erlaubt',
  lastUsed: 'Zuletzt genutzt',
  managedBy: (connection) => `Verwaltet von ${connection}, ohne den Benutzer zu fragen`,
  endManagedAccessEffect: (connection) =>
    `Ihre Tokens für diesen Benutzer funktionieren sofort nicht mehr. Mit einer weiteren Assertion von ${connection} bekommt sie neue, ohne den Benutzer zu fragen.`,
  endAccess: 'Zugriff beenden',
  endAccessQuestion: (email) => `Ihren Zugriff für ${email} beenden?`,
  endAccessEffect:
    'Ihre Tokens für diesen Benutzer gelten sofort nicht mehr. Bei der nächsten Anmeldung fragt die Anwendung wieder um Zustimmung.',
}

export default de
