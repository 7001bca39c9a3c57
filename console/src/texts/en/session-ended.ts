export default {
  sessionEnded: 'Your session has ended',
  sessionEndedDescription: 'Sign in again in a separate window. What you have typed here stays.',
  signInAgain: 'Sign in again',
  windowBlocked: 'The browser has blocked the window. Open it with this link:',
}
