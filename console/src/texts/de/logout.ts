import type en from '../en/logout.ts'

const de: typeof en = {
  address: 'Wohin es gemeldet wird',
  addressDescription: 'Dorthin geht ein Logout-Token, wenn eine Sitzung endet, in der die Anwendung Token erhalten hat.',
  noAddress: 'Die Anwendung hat keine Adresse und erfährt nichts davon.',
  setAddress: 'Adresse eintragen',
  sendTest: 'Test senden',
  testHint: 'Ein Test nennt eine Sitzung, die es nie gab: Niemand wird abgemeldet.',

  deliveries: 'Gemeldete Abmeldungen',
  none: 'Noch nichts gemeldet',
  noneDescription: 'Hier steht, was der Anwendung in den letzten 30 Tagen gemeldet wurde und was sie geantwortet hat.',
  user: 'Benutzer',
  test: 'Test',
  session: 'Sitzung',
  delivery: 'Zustellung',

  claims: 'Angaben in den Token',
  claimsHint: 'Jeder Versuch ergänzt iat und exp und wird neu signiert.',
  replay: 'Noch einmal melden',
  replayQueued: 'Es wird der Anwendung noch einmal gemeldet',
}

export default de
