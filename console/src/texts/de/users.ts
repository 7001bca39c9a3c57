import type en from '../en/users.ts'

const de: typeof en = {
  title: 'Benutzer',
  count: (count, formatted) => (count === 1 ? '1 Person' : `${formatted} Personen`),
  search: 'Name oder E-Mail-Adresse',
  create: 'Benutzer anlegen',
  empty: 'Noch ist niemand hier',
  emptyDescription: 'Benutzer melden sich mit Adresse und Passwort an. Ihre Rollen sagen, was sie dürfen.',

  name: 'Name',
  email: 'E-Mail-Adresse',
  firstName: 'Vorname',
  lastName: 'Nachname',
  password: 'Passwort',
  status: 'Status',
  roles: 'Rollen',
  teams: 'Teams',
  secondFactor: 'Zweiter Faktor',
  lastSignIn: 'Letzte Anmeldung',
  created: 'Angelegt',
  on: 'An',
  off: 'Aus',
  active: 'Aktiv',
  blocked: 'Gesperrt',
  unverified: 'Nicht bestätigt',
  neverSignedIn: 'Nie angemeldet',
  anyStatus: 'Jeder Status',
  anySecondFactor: 'Mit und ohne zweiten Faktor',
  withSecondFactor: 'Mit zweitem Faktor',
  withoutSecondFactor: 'Ohne zweiten Faktor',

  rolesHint: 'Ohne Rolle erhält der Benutzer die voreingestellte.',
  firstSignIn: 'Erste Anmeldung',
  sendLink: 'Link senden',
  sendLinkHint: 'Das Passwort wählt die Person selbst.',
  setPassword: 'Passwort setzen',
  setPasswordHint: 'Sie teilen es der Person mit.',
}

export default de
