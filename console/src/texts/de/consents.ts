import type en from '../en/consents.ts'

const de: typeof en = {
  mayDo: 'Darf',
  allowedFor: 'Erlaubt',
  lastUsed: 'Zuletzt genutzt',
  managedBy: (connection) => `Verwaltet von ${connection}, ohne den Benutzer zu fragen`,
  endAccess: 'Zugriff beenden',
  endAccessEffect:
    'Die Token der Anwendung für diesen Benutzer werden sofort ungültig. Bei der nächsten Anmeldung bittet die Anwendung erneut um Zustimmung.',
  endManagedAccessEffect: (connection) =>
    `Ihre Tokens für diesen Benutzer funktionieren sofort nicht mehr. Mit einer weiteren Assertion von ${connection} bekommt sie neue, ohne den Benutzer zu fragen.`,

  user: 'Benutzer',
  noUsers: 'Noch hat kein Benutzer sie zugelassen',
  noUsersDescription: 'Hier erscheinen Benutzer, die der Anwendung etwas erlaubt haben.',
  endForUserQuestion: (email) => `Ihren Zugriff für ${email} beenden?`,

  application: 'Anwendung',
  noApplications: 'Keine Anwendung hat Zugriff',
  noApplicationsDescription: 'Hier erscheinen die Anwendungen, bei denen sich der Benutzer anmeldet, und was jede abrufen darf.',
  endOfApplicationQuestion: (name) => `Zugriff von ${name} beenden?`,
}

export default de
