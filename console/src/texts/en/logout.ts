export default {
  address: 'Where it is told',
  addressDescription: 'A logout token is sent there when a session ends in which the application has got tokens.',
  noAddress: 'The application has no address, and is told nothing.',
  setAddress: 'Set the address',
  sendTest: 'Send a test',
  testHint: 'A test names a session that never was: no user is signed out.',

  deliveries: 'Logout deliveries',
  none: 'Nothing was told yet',
  noneDescription: 'What the application was told in the last 30 days is listed here, with what it answered.',
  user: 'User',
  test: 'Test',
  session: 'Session',
  delivery: 'Delivery',

  claims: 'Claims of its tokens',
  claimsHint: 'Each attempt adds iat and exp, and is signed anew.',
  replay: 'Tell it again',
  replayQueued: 'The application is told again',
}
