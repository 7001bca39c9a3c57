import { fieldMistake, refusal } from '../platform/http/problem.ts'

export const invalidEncoding = fieldMistake('invalid-encoding', 'Must be base64url')
export const passkeyNotRecognised = refusal(
  'passkey-not-recognised',
  'unauthorized',
  'Passkey not recognised',
  (isUnknown: boolean = false) => (isUnknown ? { members: { unknownCredential: true } } : {}),
)
export const passkeyNotFound = refusal('passkey-not-found', 'not-found', 'Passkey not found')
export const passkeyAlreadyRegistered = refusal('passkey-already-registered', 'conflict', 'Passkey already registered')
export const passkeyMismatch = refusal(
  'passkey-mismatch',
  'bad-request',
  (what: string) => `The passkey could not be registered: ${what} does not match`,
)
export const passkeysNotAllowed = refusal('passkeys-not-allowed', 'bad-request', 'The organisation does not allow passkeys')
export const passkeysNotPossible = refusal(
  'passkeys-not-possible',
  'bad-request',
  'Passkeys need a host name: this service is reached by an IP address',
)
export const tooManyPasskeys = refusal('too-many-passkeys', 'bad-request', 'Too many passkeys: delete one that is no longer used')
export const noPasskey = refusal('no-passkey', 'bad-request', 'There is no passkey: register one first')
export const lastWayToSignIn = refusal('last-way-to-sign-in', 'bad-request', 'The last way to sign in cannot be removed')
export const lastSecondFactor = refusal(
  'last-second-factor',
  'bad-request',
  'The last second factor cannot be removed while the organisation requires one',
)
export const ownerPasskeysOnlyByTheOwner = refusal(
  'owner-passkeys-only-by-the-owner',
  'forbidden',
  'Only the organisation owner can delete their passkeys',
)
export const noRelatedOrigins = refusal('no-related-origins', 'not-found', 'There are no related origins')
