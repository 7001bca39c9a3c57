import type en from '../en/session-ended.ts'

const de: typeof en = {
  sessionEnded: 'Ihre Sitzung ist beendet',
  sessionEndedDescription: 'Melden Sie sich in einem neuen Fenster wieder an. Ihre Eingaben hier bleiben erhalten.',
  signInAgain: 'Wieder anmelden',
  windowBlocked: 'Der Browser hat das Fenster blockiert. Öffnen Sie es mit diesem Link:',
}

export default de
