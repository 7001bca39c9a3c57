export default {
  title: 'Why can’t a user sign in?',
  description:
    'Enter an e-mail address, and see each step that a sign-in would take right now. No user is signed in, and the audit log notes that you asked.',
  email: 'E-mail address',
  application: 'Application',
  anyApplication: 'Any',
  connection: 'Connection',
  anyWay: 'Any way',
  further: 'Further details',
  redirectUri: 'Redirect URI',
  redirectUriHint: 'The one that the application sends.',
  permission: 'Permission',
  permissionHint: 'The one that they need, such as orders:read.',
  check: 'Check',
  again: 'Check again',
  begin: 'No user is chosen yet',
  beginDescription:
    'The check goes through the rules of signing in themselves: block, lock, domain, password, passkey, second factor, connection.',

  can: '{email} can sign in',
  cannot: '{email} cannot sign in',
  cannotUse: '{email} can sign in, but not do what is asked for',

  shared: 'Before anything else',
  wanted: 'What they want to use',
  ways: {
    password: 'By password',
    passkey: 'By passkey',
    email_code: 'By a code that is mailed',
    connection: 'By the connection {connection}',
  },
  leadsTo: {
    session: 'Signs in',
    confirmation: 'Asks for a confirmation',
    enrolment: 'Asks to set something up',
    new_password: 'Asks for a new password',
    refusal: 'Is refused',
  },
  met: 'Met',
  unmet: 'Not met',
  methods: { totp: 'authenticator app', sms: 'SMS', passkey: 'passkey', backup_code: 'backup codes' } as Record<string, string>,

  found: {
    'account-found': { why: 'The address has an account.' },
    'no-account': {
      why: 'Your organisation has no account with this address.',
      remedy: 'Check how the address is written, or create or invite the user.',
    },
    'account-deleted': { why: 'The account was deleted on {since}.', remedy: 'Restore the user.' },
    'organisation-running': { why: 'The organisation is on trial or active.' },
    'organisation-suspended': {
      why: 'The organisation is suspended.',
      remedy: 'Ask the operator of this service to activate it.',
    },
    'organisation-cancelled': { why: 'The organisation is cancelled.', remedy: 'The operator can restore it until its data is purged.' },
    'not-blocked': { why: 'The user is not blocked.' },
    'user-blocked': { why: 'The user has been blocked since {since}.', remedy: 'Unblock the user.' },
    'deactivated-by-directory': {
      why: 'The directory {directory} deactivated the user on {since}.',
      remedy: 'Activate the user in the directory. Unblocking them here lasts only until the directory sends them again.',
    },
    'domain-open': { why: 'No domain requires another way.' },
    'sso-required': {
      why: 'The domain of the address requires single sign-on by its connection.',
      remedy: 'Let the user sign in by the connection, or except them at the domain.',
    },
    'not-locked': { why: 'There were not too many failed sign-ins.' },
    'account-locked': {
      why: 'There were too many failed sign-ins. The next one is possible from {until}.',
      remedy: 'Wait, or unlock the user.',
    },
    'password-set': { why: 'The user has a password, and may sign in by it.' },
    'no-password-set': { why: 'The user has set no password.', remedy: 'Mail them a link that sets one.' },
    'password-disabled': {
      why: 'The sign-in policy disables passwords.',
      remedy: 'Let the user sign in in another way, or allow passwords.',
    },
    'passkey-registered': { why: 'The user has a passkey that signs in.' },
    'no-passkey': {
      why: 'The user has no passkey that signs in here.',
      remedy: 'Let them sign in in another way, and register a passkey in their account.',
    },
    'passkeys-off': {
      why: 'The sign-in policy switches passkeys off.',
      remedy: 'Let the user sign in in another way, or allow passkeys.',
    },
    'email-codes-allowed': { why: 'The sign-in policy allows codes by mail.' },
    'email-codes-off': {
      why: 'The sign-in policy switches codes by mail off.',
      remedy: 'Let the user sign in in another way, or allow codes by mail.',
    },
    'connection-usable': { why: 'The connection {connection} is active.' },
    'connection-inactive': {
      why: 'The connection {connection} is not active.',
      remedy: 'Activate it, or let the user sign in in another way.',
    },
    'connection-failing': {
      why: 'Sign-ins by {connection} have failed since {since}: {error}',
      remedy: 'Test the connection, and mend what the test names.',
    },
    'identity-linked': { why: 'An account at the identity provider is linked to the user.' },
    'identity-links-at-once': {
      why: 'An account at the identity provider is linked at the next sign-in, if the provider has proven its address.',
    },
    'account-is-created': { why: 'The first sign-in creates the account, unless another organisation has the address.' },
    'invitation-is-accepted': { why: 'The first sign-in accepts the pending invitation.' },
    'invitation-by-mail': {
      why: 'The pending invitation gives more than the user who vouches for the connection holds, so the connection does not accept it.',
      remedy:
        'Have the user accept the invitation by the link in its mail, or have a user who holds as much switch the connection off and on.',
    },
    'confirmation-asked': {
      why: 'The user has to sign in by a present way first, which links the account at the identity provider.',
      remedy: 'Have them sign in once more when they are asked to confirm.',
    },
    'address-unproven': {
      why: 'The user has never proven the address, so the account at the identity provider is not linked without a confirmation.',
      remedy: 'Have them follow the link that proves the address, or sign in once more when they are asked to confirm.',
    },
    'link-while-signed-in': {
      why: 'The connection links no account by its address.',
      remedy: 'Have the user sign in in another way, and link the account in their own account.',
    },
    'another-connection-required': {
      why: 'The domain of the address requires single sign-on by another connection.',
      remedy: 'Have the user sign in by that connection.',
    },
    'not-provisioned': {
      why: 'The connection creates no account for this address.',
      remedy: 'Create or invite the user, or let the connection create accounts of this domain.',
    },
    'trial-limit-reached': {
      why: 'The connection would create an account, and the organisation has as many users as a trial allows.',
      remedy: 'Ask the operator of this service to activate the organisation.',
    },
    'address-unusable': {
      why: 'The address cannot be used by this connection.',
      remedy: 'Restore the user of the address, or have them use another address.',
    },
    'no-second-factor-asked': { why: 'No second factor is asked for.' },
    'second-factor-asked': { why: 'A second factor is asked for, and the user has one: {methods}.' },
    'second-factor-by-provider': { why: 'A second factor at the identity provider counts, where the provider reports it.' },
    'second-factor-refused-until': {
      why: 'There were too many wrong codes of the second factor. The next one is possible from {until}.',
      remedy: 'Wait, or unlock the user.',
    },
    'no-usable-second-factor': {
      why: 'A second factor is asked for, and the user has none that may be used now.',
      remedy: 'Remove the second factor, so that they set up another one, or allow passkeys again.',
    },
    'password-current': { why: 'The password need not be replaced.' },
    'password-expired': {
      why: 'The password is older than the organisation allows.',
      remedy: 'Have the user choose a new one when they are asked at the sign-in.',
    },
    'password-breached': {
      why: 'The password is known from a data breach.',
      remedy: 'Have the user choose a new one when they are asked at the sign-in.',
    },
    'nothing-to-enrol': { why: 'Nothing has to be set up first.' },
    'second-factor-enrolment': {
      why: 'The organisation requires a second factor, and the user has none.',
      remedy: 'Have them set one up when they are asked at the sign-in.',
    },
    'passkey-enrolment': {
      why: 'The organisation requires a passkey, and the user has none that signs in.',
      remedy: 'Have them register one when they are asked at the sign-in.',
    },
    'client-active': { why: 'The application is active.' },
    'client-deactivated': { why: 'The application has been revoked.', remedy: 'Activate the application.' },
    'document-usable': { why: 'The document by which the application introduces itself can be used.' },
    'document-unusable': {
      why: 'The document by which the application introduces itself cannot be used: {reason}',
      remedy: 'Its vendor has to mend the document.',
    },
    'document-refused': {
      why: 'The organisation does not accept applications of the host {host}, or that redirect to another one.',
      remedy: 'Unblock the host, or change the policy for client documents of the organisation.',
    },
    'automatic-clients-full': {
      why: 'The organisation has as many applications that introduced themselves as it can have.',
      remedy: 'Delete those that are not used.',
    },
    'code-grant-allowed': { why: 'The application may sign users in.' },
    'device-grant-allowed': { why: 'The application may sign users in on devices without a browser.' },
    'no-code-grant': {
      why: 'The application lacks the grant authorization_code, by which users sign in.',
      remedy: 'Give it the grant authorization_code, and a redirect URI.',
    },
    'redirect-uri-registered': { why: 'The redirect URI is registered.' },
    'redirect-uri-unregistered': {
      why: 'The redirect URI is not one that the application has registered.',
      remedy: 'Register exactly the redirect URI that the application sends: {difference}',
    },
    'authorization-granted': { why: 'The application is issued tokens for the user.' },
    'consent-asked': { why: 'The user is asked to allow it, and then the application is issued tokens.' },
    'authorization-refused': {
      why: 'The application is issued no tokens for the user: {description}',
      remedy: 'The refusals of the application name what is expected and received.',
    },
    'permission-held': { why: 'A role of the user gives the permission {permission}.' },
    'permission-missing': {
      why: 'No role of the user gives the permission {permission}.',
      remedy: 'Give the user a role that has it.',
    },
  },
}
