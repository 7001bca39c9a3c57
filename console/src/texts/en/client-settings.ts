export default {
  general: 'General',
  nameHint: 'Users see it when they are asked for consent.',
  logoUrlHint: 'An https address. The consent page shows the picture.',

  addresses: 'Addresses',
  redirectUri: (number: number) => `Redirect URI ${number}`,
  redirectUrisHint: 'Where browsers may return with a code, compared character by character. You can paste many at once.',
  postLogoutRedirectUri: (number: number) => `Sign-out URI ${number}`,
  postLogoutRedirectUrisHint: 'Where browsers may return after signing out.',
  initiateLoginUriHint: 'Where the application begins a sign-in that it has not asked for, such as after an invitation.',
  backchannelLogoutUriHint:
    'A logout token is sent there when a session ends in which the application has got tokens. Works only if the operator has switched on backchannel_logout.',
  backchannelLogoutSessionRequiredHint: 'Which of a user’s sessions has ended, not only whose it was.',
  backchannelLogoutRevokesRefreshHint:
    'What the application has got by a session ends with it, refresh tokens too. Works only if the operator has switched on backchannel_logout.',

  access: 'What it may do',
  grants: {
    authorization_code: 'Users sign in with their browser.',
    refresh_token: 'Tokens are renewed without the user. The application requests this with the scope offline_access.',
    client_credentials: 'The application gets tokens for itself.',
    'urn:ietf:params:oauth:grant-type:device_code':
      'Users sign in on a device without a browser, by a code that they enter elsewhere. Needs the extension device.',
  } as Record<string, string>,
  needsSecret: 'For applications with a secret.',
  scopesHint: 'Separated by spaces. Every application may request openid, profile, email, phone and offline_access.',
  requirePkceHint: 'Without it, anyone can redeem a leaked code.',
  publicNeedsPkce: 'An application without a secret always uses PKCE.',
  allowPlainPkceHint: 'For old libraries only. S256 is safer.',
  plainDenied: 'The operator of this service does not allow it.',
  requireConsentHint: 'Each user is asked once before the application gets a code.',
  requirePushedAuthorizationRequestsHint:
    'The application sends each request to the service itself before it sends the browser. Works only if the operator has switched on par.',
  requireSignedRequestObjectHint:
    'The application signs each request by its key, so that nothing on the way can change it. Works only if the operator has switched on jar.',
  requireDpopHint:
    'The application gets tokens only if it proves a key with each request (DPoP): stolen ones are of no use. Works only if the operator has switched on dpop.',
  needsKey: 'Needs a key: make one below Security.',

  lifetimes: 'Tokens',
  asOrganisation: 'As the organisation has it',
  refreshTokenLifetimeHint: 'If it is not refreshed for this long, the user has to sign in again.',
  refreshTokenAbsoluteLifetimeHint: 'After this the user has to sign in again, however often it was refreshed.',
  refreshTokenGraceSecondsHint:
    'Within this time the same refresh gets the same response again. 0 is safest for one process. Of an application in several processes, two that refresh at once would end the session: 30 seconds suffice.',
  defaultAcrValuesHint:
    'Attempted in this order if a request names none: aal1, aal2, phr, phrh. Works only if the operator has switched on step_up.',
  defaultMaxAgeHint: 'If a request does not say it by max_age. The user signs in again if the last sign-in is longer ago.',
  anyAge: 'Only if a request asks for it',
  idTokenSignedResponseAlgHint:
    'RS256 for libraries that cannot verify EdDSA, such as those of .NET, Spring, Apache, Ruby and python-jose.',

  introspectionSignedResponseAlgHint:
    'For APIs that ask for responses in signed form. Works only if the operator has switched on jwt_introspection.',
}
