/** The texts of the mails, in English. Every language has the same texts: this catalogue defines their type. */
export const en = {
  greeting: (name: string) => `Hello ${name},`,
  greetingWithoutName: 'Hello,',

  welcome: {
    subject: (organisation: string) => `Welcome to ${organisation}`,
    lead: (organisation: string) => `${organisation} has been set up, and you own it. Choose a password to sign in for the first time.`,
    action: 'Choose your password',
    validity: 'The link works once, for seven days.',
  },

  signUp: {
    subject: 'Confirm your new organisation',
    lead: (link: URL) =>
      `Someone has set up an organisation at ${link.host} and named this address as its owner's. If that was you, choose a password: this confirms the address, and you can sign in.`,
    action: 'Confirm and choose a password',
    validity: 'The link works once, for seven days. An organisation that is not confirmed by then is removed.',
    unexpected: 'If it was not you, ignore this mail: your address is not used for anything.',
  },

  accountCreated: {
    subject: (organisation: string) => `Your account at ${organisation}`,
    lead: (organisation: string) =>
      `An account at ${organisation} has been created for you. Choose a password to sign in for the first time.`,
    action: 'Choose your password',
    validity: 'The link works once, for seven days. Later, “Forgot password?” on the sign-in page sends another.',
    unexpected: 'If you do not know what this is about, you can ignore this mail.',
  },

  invitation: {
    subject: (organisation: string) => `Join ${organisation}`,
    lead: (inviter: string, organisation: string) =>
      `${inviter} invites you to join ${organisation}. Accept to choose your name and password.`,
    role: (role: string) => `Your role will be ${role}.`,
    teams: (teams: string) => `You will join the team ${teams}.`,
    application: (application: string) => `Once you have accepted, you continue to ${application}.`,
    action: 'Accept the invitation',
    validity: (until: Date) =>
      `The link works once, until ${until.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC.`,
    unexpected: 'If you do not know what this is about, you can ignore this mail.',
  },

  passwordReset: {
    subject: 'Choose a new password',
    lead: (organisation: string) => `A new password was requested for your account at ${organisation}.`,
    action: 'Choose a new password',
    validity: 'The link works once, for one hour. When you set a new password, you are signed out everywhere.',
    unexpected: 'If you did not request it, you can ignore this mail: your password stays as it is.',
  },

  emailCode: {
    subject: (organisation: string) => `Sign in to ${organisation}`,
    lead: (organisation: string) => `Enter this code where you asked for it, to sign in to your account at ${organisation}.`,
    code: 'Your code',
    action: 'Open the page to sign in',
    validity:
      'Code and link work once, for ten minutes. In the browser in which you asked, the link signs you in; elsewhere it only shows the code.',
    unexpected:
      'If you did not ask for a code, ignore this mail, and never pass the code on: the person who asked for it would sign in as you.',
  },

  passwordChanged: {
    subject: 'Your password has been changed',
    lead: (organisation: string) => `The password of your account at ${organisation} has been changed.`,
    action: 'This was not me',
    expected: 'If it was you, you can ignore this mail.',
    keysEnded: (names: string) =>
      `To be safe, the API keys that were made in your name in the last 24 hours no longer work: ${names}. Make new ones if you need them.`,
    credentialsEnded: (names: string) =>
      `To be safe, the workloads that were added to these API keys of yours in the last 24 hours can no longer use them: ${names}. Add them again if they are yours.`,
    keysLeft: (names: string) => `These API keys of yours still work: ${names}. Delete those that you do not know.`,
    passkeysEnded: (names: string) =>
      `To be safe, the passkeys that were registered in the last 24 hours were deleted: ${names}. Register them again if they are yours.`,
    passkeysLeft: (names: string) => `These passkeys still sign you in: ${names}. Delete those that you do not know:`,
    accountsEnded: (names: string) =>
      `To be safe, the accounts that were linked in the last 24 hours were unlinked: ${names}. Link them again if they are yours.`,
    accountsLeft: (names: string) => `These linked accounts still sign you in: ${names}. Unlink those that you do not know:`,
  },

  emailVerification: {
    subject: 'Confirm your e-mail address',
    lead: (organisation: string) => `Confirm that this is the e-mail address of your account at ${organisation}.`,
    action: 'Confirm the address',
    validity: 'The link works once, for one day.',
    unexpected: 'If you have no such account, you can ignore this mail.',
  },

  addressChanged: {
    subject: 'The e-mail address of your account has changed',
    lead: (organisation: string, directory: string) =>
      `${organisation} manages your account through the directory ${directory}, which has given it another e-mail address.`,
    former: 'Mails about the account no longer come to this address, and links that were mailed here no longer work.',
    present: 'From now on, sign in with this address. Mails about the account come here.',
    note: 'If you do not know why, ask the administrators of your organisation.',
  },

  mfaDisabled: {
    subject: 'Two-factor authentication has been switched off',
    lead: (organisation: string) =>
      `An administrator of ${organisation} has switched off two-factor authentication for your account, and you have been signed out everywhere.`,
    next: 'Sign in with your password and switch it on again as soon as you can.',
    unexpected: 'If you did not expect this, tell your administrator.',
  },

  mfaEnabled: {
    subject: 'Two-factor authentication has been switched on',
    lead: (organisation: string, factor: string) => `Signing in to your account at ${organisation} now takes ${factor}, too.`,
    factors: { totp: 'a code from an authenticator app', sms: 'a code from a text message', passkey: 'a passkey' },
    others: 'You have been signed out everywhere else.',
    action: 'This was not me',
    expected: 'If it was you, you can ignore this mail.',
  },

  mfaSwitchedOff: {
    subject: 'Two-factor authentication has been switched off',
    lead: (organisation: string) =>
      `Two-factor authentication has been switched off for your account at ${organisation}. Signing in takes your password alone.`,
    action: 'This was not me',
    expected: 'If it was you, you can ignore this mail.',
  },

  passkeyRegistered: {
    subject: 'A passkey has been registered',
    lead: (organisation: string, passkey: string) => `The passkey ${passkey} has been registered for your account at ${organisation}.`,
    next: 'If it was not you, delete it at once, choose a new password, and tell your administrator.',
    action: 'Look at your passkeys',
    note: 'If it was you, you can ignore this mail.',
  },

  passkeyDeleted: {
    subject: 'A passkey has been deleted',
    lead: (organisation: string, passkey: string) =>
      `The passkey ${passkey} of your account at ${organisation} has been deleted. It no longer works; you can remove it from your device, too.`,
    action: 'Look at your passkeys',
    note: 'If it was you, you can ignore this mail.',
  },

  passkeyTaken: {
    subject: 'Your passkey has been deleted',
    lead: (organisation: string, passkey: string) =>
      `An administrator of ${organisation} has deleted the passkey ${passkey} of your account, and you have been signed out everywhere.`,
    next: 'Your account has no password. Choose one by the link below, which works once, for one hour; “Forgot password?” on the sign-in page sends another.',
    action: 'Choose a password',
    note: 'If you did not expect this, tell your administrator.',
  },

  passkeyCloned: {
    subject: 'Your passkey was refused',
    lead: (organisation: string, passkey: string) =>
      `The passkey ${passkey} of your account at ${organisation} was refused: it counts its uses, and this use had been counted before. There may be a copy of it.`,
    next: 'If it happens again, or if it was not you, delete the passkey and register a new one.',
    action: 'Look at your passkeys',
    note: 'A device that was restored from a backup can cause this, too.',
  },

  passwordBreached: {
    subject: 'Your password is known from a data breach',
    lead: (organisation: string) =>
      `You have signed in to your account at ${organisation} with a password that is on a list of passwords from data breaches. It may have been stolen from another service, or someone else may use the same one.`,
    next: 'Choose a new password here, and everywhere else where you use this one.',
    action: 'Choose a new password',
    once: 'You get this mail once, until you have chosen a new password.',
  },

  passwordRemoved: {
    subject: 'Your password has been removed',
    lead: (organisation: string) => `The password of your account at ${organisation} has been removed: from now on passkeys alone sign in.`,
    action: 'This was not me',
    expected: 'If it was you, you can ignore this mail. “Forgot password?” on the sign-in page sets a new one.',
  },

  wrongCodes: {
    subject: 'Wrong codes for your account',
    lead: (organisation: string) =>
      `Ten wrong codes in a row have been entered for the two-factor authentication of your account at ${organisation}.`,
    wait: 'For the next 15 minutes no code is accepted. After every five further wrong ones the wait is twice as long, up to a day; a right one ends it.',
    unexpected: 'If that was not you, someone else knows your password: choose a new one at once, by the link below.',
    action: 'This was not me',
    expected: 'If it was you, wait, then enter a new code or a backup code.',
    once: 'You get this mail once, until a right code has been entered.',
  },

  apiKeyCreated: {
    subject: 'An API key has been made in your name',
    lead: (organisation: string, key: { name: string; prefix: string }) =>
      key.prefix === ''
        ? `The API key ${key.name} at ${organisation} has been made in your name. It has no secret: the workloads that it names may do with it what it allows, as long as you may.`
        : `The API key ${key.name} at ${organisation}, which begins with ${key.prefix}, has been made in your name. Programs that have it may do with it what it allows, as long as you may.`,
    next: 'If you did not expect it, delete the key and choose a new password at once.',
    action: 'This was not me',
    expected: 'If you expected it, you can ignore this mail.',
  },

  apiKeyTrusted: {
    subject: 'A workload can use an API key of yours',
    lead: (organisation: string, key: { name: string; workloads: string }) =>
      `The API key ${key.name} at ${organisation}, which was made in your name, can now be used by: ${key.workloads}. They may do with it what it allows, as long as you may.`,
    next: 'If you did not expect it, delete the key and choose a new password at once.',
    action: 'This was not me',
    expected: 'If you expected it, you can ignore this mail.',
  },

  identityLinked: {
    subject: 'An account has been linked with yours',
    lead: (organisation: string, account: string) =>
      `From now on you can sign in to your account at ${organisation} with an account at ${account}.`,
    next: 'If it was not you, unlink it at once, choose a new password, and tell your administrator.',
    action: 'Look at your linked accounts',
    note: 'If it was you, you can ignore this mail.',
  },

  identityUnlinked: {
    subject: 'An account has been unlinked from yours',
    lead: (organisation: string, account: string) =>
      `You can no longer sign in to your account at ${organisation} with your account at ${account}.`,
    next: 'If it was neither you nor your administrator, look at what else signs you in, and tell your administrator.',
    action: 'Look at your linked accounts',
    note: 'If it was you, you can ignore this mail.',
  },

  recovery: {
    subject: (organisation: string) => `Your account at ${organisation} was recovered`,
    lead: (organisation: string) =>
      `The operator of this service has changed your account at ${organisation}, so that you can sign in again:`,
    removeSecondFactors:
      'Two-factor authentication was switched off, and you were signed out everywhere. Switch it on again as soon as you can.',
    everything:
      'Your password, passkeys, linked accounts, API keys and what you had allowed applications were removed, so that only you can use the account. If there is no link below, choose a new password by “Forgot password?” on the sign-in page.',
    unlock: 'The lock after too many failed sign-ins was lifted.',
    unblock: 'The block of your account was lifted.',
    passwordLink: 'You can choose a new password by the link below.',
    handedOverLink: 'A link by which a new password can be chosen was made, and the operator hands it to you.',
    unexpected: 'If you did not expect this, tell your administrator at once.',
  },

  ownership: {
    subject: (organisation: string) => `${organisation} has another owner`,
    given: (organisation: string) => `The operator of this service has made you the owner of ${organisation}.`,
    taken: (organisation: string, owner: string) =>
      `The operator of this service has made ${owner} the owner of ${organisation} in your place.`,
    unexpected: 'If you did not expect this, ask the operator at once.',
  },

  webhookDeactivated: {
    subject: (url: URL) => `Webhook to ${url.host} was switched off`,
    lead: (endpoint: { id: string; url: URL; organisation: string; failures: number }) =>
      `The webhook endpoint ${endpoint.id} of ${endpoint.organisation} at ${endpoint.url.host} has failed ${endpoint.failures} deliveries in a row and was switched off. It receives nothing until it is activated again; pending deliveries are kept.`,
    next: 'Look at its deliveries to see what went wrong, then activate it and replay what failed.',
  },

  connectionFailing: {
    subject: (connection: string) => `Sign-ins by ${connection} are failing`,
    lead: (connection: string, organisation: string) =>
      `The last three attempts to sign in to ${organisation} by the connection ${connection}, or to read what its identity provider publishes, have failed there. Users can still try it, and it counts as working again with the first sign-in that succeeds.`,
    next: 'The connection says in the console why the last one failed. Test it there once you have mended the cause.',
  },

  certificateExpiring: {
    subject: (connection: string) => `The certificate of ${connection} is about to expire`,
    lead: (connection: string, organisation: string, at: Date) =>
      `The last certificate with which the identity provider of the connection ${connection} of ${organisation} signs expires on ${at.toLocaleString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })}. The provider will use another one by then, and sign-ins fail until the connection knows it.`,
    next: 'A connection with the address of the metadata learns of it by itself. Otherwise ask for the next certificate and add it to the connection beside the present one.',
  },
}

export type MailTexts = typeof en
