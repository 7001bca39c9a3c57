export default {
  title: 'Is it still you?',
  description: 'This needs a sign-in of the last fifteen minutes. What you have typed stays, and is sent as soon as you have confirmed it.',
  password: 'Your password',
  code: 'Code of your second factor',
  codeHint: 'From your authenticator app or a text message, or one of your backup codes.',
  confirm: 'Confirm',
  usePasskey: 'Use a passkey',
  sendCode: 'Send a code by text message',
  codeSent: 'A code is on its way to your phone',
  noPasskeyUsed: 'No passkey was used. Try again, or cancel.',
  noMethod: 'There is nothing here to confirm it with. Sign out and sign in again.',
}
