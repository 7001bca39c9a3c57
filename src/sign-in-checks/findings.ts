/** The possible findings about each step of a sign-in. */

/** The possible results of a sign-in. A confirmation links an account at an identity provider; the user proves who they are first. */
export const ends = ['session', 'confirmation', 'enrolment', 'new_password', 'refusal'] as const
export type End = (typeof ends)[number]

interface Described {
  readonly step: string
  /** The reason in English, with values in braces. */
  readonly why: string
  /** The remedy. Only a step that is not met has one. */
  readonly remedy?: string
  /** The result of a step that is not met, unless it is a refusal. */
  readonly leadsTo?: End
}

/** Each finding by its code. A step is met unless the finding has a remedy. The order is that of a sign-in. */
export const findings = {
  'account-found': { step: 'account', why: 'The address has an account' },
  'no-account': {
    step: 'account',
    why: 'The organisation has no account with this address',
    remedy: 'Check how the address is written, or create or invite the user',
  },
  'account-deleted': { step: 'account', why: 'The account was deleted at {since}', remedy: 'Restore the user' },
  'organisation-running': { step: 'organisation', why: 'The organisation is on trial or active' },
  'organisation-suspended': {
    step: 'organisation',
    why: 'The organisation is suspended',
    remedy: 'The operator of the service activates the organisation',
  },
  'organisation-cancelled': {
    step: 'organisation',
    why: 'The organisation is cancelled',
    remedy: 'The operator can restore it until its data is purged',
  },
  'not-blocked': { step: 'block', why: 'The user is not blocked' },
  'user-blocked': { step: 'block', why: 'The user has been blocked since {since}', remedy: 'Unblock the user' },
  'deactivated-by-directory': {
    step: 'block',
    why: 'The directory {directory} deactivated the user at {since}',
    remedy: 'Activate the user at the directory; who is unblocked here is blocked again when it sends them once more',
  },

  'domain-open': { step: 'domain', why: 'No domain requires another way of the user' },
  'sso-required': {
    step: 'domain',
    why: 'The domain of the address requires single sign-on by its connection',
    remedy: 'The user signs in by the connection, or an administrator lets the user bypass it',
  },
  'not-locked': { step: 'lock', why: 'There were not too many failed sign-ins with the address' },
  'account-locked': {
    step: 'lock',
    why: 'There were too many failed sign-ins with the address; the next one is possible at {until}',
    remedy: 'Wait, or unlock the user',
  },
  'password-set': { step: 'password', why: 'The user has a password, and may sign in by it' },
  'no-password-set': { step: 'password', why: 'The user has set no password', remedy: 'Mail the user a link that sets one' },
  'password-disabled': {
    step: 'password',
    why: 'The sign-in policy of the organisation disables passwords',
    remedy: 'The user signs in in another way, or the policy allows passwords',
  },
  'passkey-registered': { step: 'passkey', why: 'The user has a passkey that signs in' },
  'no-passkey': {
    step: 'passkey',
    why: 'The user has no passkey that signs in here',
    remedy: 'The user signs in in another way, and registers a passkey in their account',
  },
  'passkeys-off': {
    step: 'passkey',
    why: 'The sign-in policy of the organisation switches passkeys off',
    remedy: 'The user signs in in another way, or the policy allows passkeys',
  },
  'email-codes-allowed': { step: 'email_code', why: 'The organisation lets users sign in by a code that is mailed to them' },
  'email-codes-off': {
    step: 'email_code',
    why: 'The sign-in policy of the organisation switches codes by mail off',
    remedy: 'The user signs in in another way, or the policy allows codes by mail',
  },
  'connection-usable': { step: 'connection', why: 'The connection {connection} is active' },
  'connection-inactive': {
    step: 'connection',
    why: 'The connection {connection} is not active',
    remedy: 'Activate the connection, or the user signs in in another way',
  },
  'connection-failing': {
    step: 'connection',
    why: 'Sign-ins by the connection {connection} have failed since {since}: {error}',
    remedy: 'Test the connection, and mend what the test names',
  },
  'identity-linked': { step: 'identity', why: 'An account at the identity provider is linked to the user' },
  'identity-links-at-once': {
    step: 'identity',
    why: 'An account at the identity provider is linked to the user at the next sign-in, if the provider has proven its address',
  },
  'account-is-created': {
    step: 'identity',
    why: 'The first sign-in by the connection creates the account, unless another organisation has the address',
  },
  'invitation-is-accepted': {
    step: 'identity',
    why: 'The first sign-in by the connection accepts the pending invitation of the address',
  },
  'invitation-by-mail': {
    step: 'identity',
    why: 'The pending invitation of the address gives more than the user who vouches for the connection holds, so the connection does not accept it',
    remedy: 'The user accepts the invitation by the link in its mail, or a user who holds as much switches the connection off and on',
  },
  'confirmation-asked': {
    step: 'identity',
    why: 'The user has to sign in by a present way first, which links the account at the identity provider',
    remedy: 'The user signs in once more when asked to confirm',
    leadsTo: 'confirmation',
  },
  'address-unproven': {
    step: 'identity',
    why: 'The user has never proven the address, so the account at the identity provider is not linked without a confirmation',
    remedy: 'The user follows the link that proves the address, or signs in once more when asked to confirm',
    leadsTo: 'confirmation',
  },
  'link-while-signed-in': {
    step: 'identity',
    why: 'The connection links no account by its address',
    remedy: 'The user signs in in another way, and links the account at the identity provider in their account',
  },
  'another-connection-required': {
    step: 'identity',
    why: 'The domain of the address requires single sign-on by another connection',
    remedy: 'The user signs in by that connection',
  },
  'not-provisioned': {
    step: 'identity',
    why: 'The connection creates no account for this address',
    remedy: 'Create or invite the user, or let the connection create accounts of this domain',
  },
  'trial-limit-reached': {
    step: 'identity',
    why: 'The connection would create an account, and the organisation has as many users as a trial allows',
    remedy: 'The operator of the service activates the organisation',
  },
  'address-unusable': {
    step: 'identity',
    why: 'The address cannot be used by this connection',
    remedy: 'Restore the user of the address, or have the user use another address',
  },

  'no-second-factor-asked': { step: 'second_factor', why: 'No second factor is asked for' },
  'second-factor-asked': { step: 'second_factor', why: 'A second factor is asked for, and the user has one: {methods}' },
  'second-factor-by-provider': {
    step: 'second_factor',
    why: 'A second factor at the identity provider counts, where the provider reports it',
  },
  'second-factor-refused-until': {
    step: 'second_factor',
    why: 'There were too many wrong codes of the second factor; the next one is possible at {until}',
    remedy: 'Wait, or unlock the user',
  },
  'no-usable-second-factor': {
    step: 'second_factor',
    why: 'A second factor is asked for, and the user has none that may be used now',
    remedy: 'Switch the second factor of the user off, so that they set up another one, or allow passkeys again',
  },
  'password-current': { step: 'password_age', why: 'The password need not be replaced' },
  'password-expired': {
    step: 'password_age',
    why: 'The password is older than the organisation allows',
    remedy: 'The user chooses a new one when asked at the sign-in',
    leadsTo: 'new_password',
  },
  'password-breached': {
    step: 'password_age',
    why: 'The password is known from a data breach',
    remedy: 'The user chooses a new one when asked at the sign-in',
    leadsTo: 'new_password',
  },
  'nothing-to-enrol': { step: 'enrolment', why: 'Nothing has to be set up first' },
  'second-factor-enrolment': {
    step: 'enrolment',
    why: 'The organisation requires a second factor, and the user has none',
    remedy: 'The user sets one up when asked at the sign-in',
    leadsTo: 'enrolment',
  },
  'passkey-enrolment': {
    step: 'enrolment',
    why: 'The organisation requires a passkey, and the user has none that signs in',
    remedy: 'The user registers one when asked at the sign-in',
    leadsTo: 'enrolment',
  },

  'client-active': { step: 'client', why: 'The application is active' },
  'client-deactivated': { step: 'client', why: 'The application has been revoked', remedy: 'Activate the application' },
  'document-usable': { step: 'client', why: 'The client ID metadata document of the application can be used' },
  'document-unusable': {
    step: 'client',
    why: 'The client ID metadata document of the application cannot be used: {reason}',
    remedy: 'The vendor of the application mends its document',
  },
  'document-refused': {
    step: 'client',
    why: 'The organisation does not accept applications of the host {host}, or that redirect to another one',
    remedy: 'Unblock the host, or change the policy for client documents of the organisation',
  },
  'automatic-clients-full': {
    step: 'client',
    why: 'The organisation has as many applications that introduced themselves as it can have',
    remedy: 'Delete those that are not used',
  },
  'code-grant-allowed': { step: 'grant', why: 'The application may sign users in' },
  'device-grant-allowed': { step: 'grant', why: 'The application may sign users in on devices without a browser' },
  'no-code-grant': {
    step: 'grant',
    why: 'The application lacks the grant authorization_code, by which users sign in',
    remedy: 'Give the application the grant authorization_code, and a redirect URI',
  },
  'redirect-uri-registered': { step: 'redirect_uri', why: 'The redirect URI is registered' },
  'redirect-uri-unregistered': {
    step: 'redirect_uri',
    why: 'The redirect URI is not one that the application has registered',
    remedy: 'Register exactly the redirect URI that the application sends: {difference}',
  },
  'authorization-granted': { step: 'authorization', why: 'The application is issued tokens for the user' },
  'consent-asked': { step: 'authorization', why: 'The user is asked to allow it, and then the application is issued tokens' },
  'authorization-refused': {
    step: 'authorization',
    why: 'The application is issued no tokens for the user: {description}',
    remedy: 'Check the application by an authorization check, which names all that is expected and received',
  },
  'permission-held': { step: 'permission', why: 'A role of the user gives the permission {permission}' },
  'permission-missing': {
    step: 'permission',
    why: 'No role of the user gives the permission {permission}',
    remedy: 'Assign the user a role that gives it',
  },
} as const satisfies Record<string, Described>

export type FindingCode = keyof typeof findings
export const findingCodes = Object.keys(findings) as [FindingCode, ...FindingCode[]]

type StepName = (typeof findings)[FindingCode]['step']
export const stepNames = [...new Set(Object.values(findings).map(({ step }) => step))] as [StepName, ...StepName[]]

export const isMet = (code: FindingCode): boolean => describe(code).remedy === undefined

/** The result of a sign-in with these findings: that of the first step that is not met. */
export function endOf(codes: readonly FindingCode[]): End {
  const unmet = codes.find((code) => !isMet(code))
  return unmet === undefined ? 'session' : (describe(unmet).leadsTo ?? 'refusal')
}

export const describe = (code: FindingCode): Described & { step: StepName } => findings[code]
