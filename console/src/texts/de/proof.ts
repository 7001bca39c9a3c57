import type en from '../en/proof.ts'

const de: typeof en = {
  title: 'Sind Sie es noch?',
  description:
    'Dieser Schritt verlangt eine Bestätigung, die höchstens fünfzehn Minuten alt ist. Ihre Eingaben bleiben erhalten und werden danach gesendet.',
  password: 'Ihr Passwort',
  code: 'Code Ihres zweiten Faktors',
  codeHint: 'Aus Ihrer Authenticator-App oder einer SMS, oder einer Ihrer Ersatzcodes.',
  confirm: 'Bestätigen',
  usePasskey: 'Passkey verwenden',
  sendCode: 'Code per SMS senden',
  codeSent: 'Ein Code ist unterwegs an Ihr Telefon',
  noPasskeyUsed: 'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, oder brechen Sie ab.',
  noMethod: 'Sie haben nichts, womit Sie es hier bestätigen können. Melden Sie sich ab und wieder an.',
}

export default de
