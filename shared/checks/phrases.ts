/**
 * Every phrase in which a check describes the values that it expected and received: by its code, in English, as the API returns it. `{1}`
 * represents the first of its values. Data that a client or a provider has sent is always a value, never a phrase.
 */
export const phrases = {
  nothing: 'nothing',
  none: 'none',
  valid: 'valid',
  active: 'active',
  revoked: 'revoked',
  suspended: 'suspended',
  one: 'one',
  several: 'several',
  seconds: 'seconds',
  'a-value': 'a value',
  'another-value': 'another value',
  'something-else': 'something else',
  'an-identifier': 'an identifier',
  'a-valid-one': 'a valid one',
  'client-deleted': 'the client has been deleted',
  'client-revoked': 'the client has been revoked',
  'client-revoked-since': 'the client was revoked after it had been issued',
  'organisation-suspended': 'the organisation is suspended',
  'organisation-cancelled': 'the organisation has been cancelled',
  'organisation-not-running': 'the organisation has been suspended or cancelled',
  expired: 'it has expired',
  'client-gone': 'the client no longer exists',
  'family-removed': 'what it was issued with has been removed',
  'itself-revoked': 'it has been revoked',
  'family-revoked': 'what it was issued with has been revoked',
  'user-blocked': 'the user is blocked',
  'user-deleted': 'the user has been deleted',
  'one-or-both': 'one or both',
  'one-way': 'one way',
  'one-method': 'one method',
  'header-and-body': 'header and body',
  'basic-and-post': 'client_secret_basic and client_secret_post',
  'another-content-type': 'another content type',

  'a-registered-client': 'a registered client',
  'an-active-client': 'an active client',
  'a-revoked-client': 'a revoked client',
  'no-client-id': 'something that is no client_id',
  'current-secret': 'the current secret of the client',
  'unreadable-credentials': 'Basic with credentials that cannot be read',
  'an-unknown-scheme': 'an unknown scheme',
  'a-client-id-or-hint': 'a client_id or an id_token_hint beside it',

  'a-code': 'a code',
  'a-code-of-this-client': 'a code of this client',
  'a-code-used-once': 'a code that is used once',
  'a-second-use': 'a second use',
  'use-before': 'use before {1}',
  'no-method-means-plain': 'none, which means plain',
  'pkce-value': '43 to 128 unreserved characters',
  'uri-too-long': 'a URI has at most {1} characters, and {2} were received',

  'a-refresh-token-of-this-client': 'a refresh token of this client',
  'a-token-used-once': 'a token that is used once',
  'used-before': 'used before; the latest of its family is of {1}, and revoked now',
  'a-live-family': 'a live family',
  'revoked-at': 'revoked at {1}',
  'a-live-access-token': 'a live access token',
  'no-access-token-of-this-issuer': 'no access token of this issuer',
  'no-bearer-token': 'something that is no bearer token',
  'a-token-of-another-client': 'a token of another client',
  'the-token-of-the-session': 'the token of the session',

  'a-pending-request': 'a request that waits',
  'a-pending-request-of-this-user': 'a request that waits for this user',
  'a-recent-sign-in': 'a recent sign-in',
  'none-that-fits': 'none that fits',
  'a-sign-in-as-new-as-asked': 'a sign-in that is as new as was asked for',
  'an-older-sign-in': 'an older one, or none that says when',
  'consent-to-the-scope': 'consent to the scope',
  'a-user-of-the-clients-organisation': 'a user of the organisation of the client',
  'a-user-of-another-organisation': 'a user of another organisation',
  'session-of-level': 'a session of {1}, of which the user can make {2}',
  'level-of-session-counts': 'With prompt=none the level of the session is what counts',
  'the-user-of-the-hint': 'the user of the hint',
  'another-user': 'another user',

  'an-id-token': 'an ID token',
  'an-id-token-of-this-issuer': 'an ID token of this issuer',
  'an-access-token': 'an access token',
  'an-authorization-endpoint': 'an authorization_endpoint',
  'a-subject': 'a subject',
  'the-id-of-a-user': 'the id of a user',
  'any-tenant': 'any tenant',
  'proven-by-this-connection': 'proven by this connection',
  proven: 'proven',
  'not-proven': 'not proven',
  'a-user-of-the-organisation': 'a user of the organisation',
  'in-the-token': 'in the token',
  'a-link-instead': 'a link instead: the user is in too many. Let the provider send only groups that are assigned to the application',
  after: 'after {1}',
  'at-most-10-minutes-before': 'at most 10 minutes before {1}',
  'valid-by-a-key-of': 'valid by a key of {1}',
  'the-document-of': 'the document of {1}',
  'a-document-with-keys-at': 'a document with keys at {1}',
  'no-keys-at': '{1}: no keys',
  status: 'status {1}',
  'status-of': '{1}: status {2}',
  'a-signed-jwt': 'a signed JWT',
  'a-token-that-is-new': 'a token that has not come before',
} as const

export type Phrase = keyof typeof phrases

/** A phrase with the values that it names. */
export interface Phrased {
  phrase: Phrase
  values: readonly string[]
}

export const isPhrase = (code: string): code is Phrase => Object.hasOwn(phrases, code)

export const inWords = (words: Readonly<Record<Phrase, string>>, { phrase, values }: Phrased): string =>
  words[phrase].replaceAll(/\{(\d)\}/g, (_place, position: string) => values[Number(position) - 1] ?? '')
