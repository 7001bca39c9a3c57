import type en from '../en/proof.ts'

const de: typeof en = {
  title: 'Sind Sie es noch?',
  description:
    'Dafür ist eine Anmeldung der letzten fünfzehn Minuten nötig. Ihre Eingaben bleiben erhalten und werden gesendet, sobald Sie es bestätigt haben.',
  password: 'Ihr Passwort',
  code: 'Code Ihres zweiten Faktors',
  codeHint: 'Aus Ihrer Authenticator-App oder einer SMS, oder einer Ihrer Backup-Codes.',
  confirm: 'Bestätigen',
  usePasskey: 'Passkey verwenden',
  sendCode: 'Code per SMS senden',
  codeSent: 'Ein Code ist unterwegs an Ihr Telefon',
  noPasskeyUsed: 'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, oder brechen Sie ab.',
  noMethod: 'Hier gibt es nichts, womit Sie es bestätigen können. Melden Sie sich ab und wieder an.',
}

export default de
