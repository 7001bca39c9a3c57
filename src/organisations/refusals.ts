import { fieldMistake, fieldRefusal, ofField, refusal } from '../platform/http/problem.ts'
import { urlNotHttps } from '../platform/http/refusals.ts'

export { organisationCancelled, organisationNotFound } from '../access/refusals.ts'
export const organisationSlugTaken = refusal('organisation-slug-taken', 'conflict', 'Organisation slug already in use', ofField('slug'))
export const organisationNameTaken = refusal('organisation-name-taken', 'conflict', 'Organisation name already in use', ofField('name'))
export const organisationEmailTaken = refusal('organisation-email-taken', 'conflict', 'Organisation email already in use', ofField('email'))
export const organisationNotCancelled = refusal('organisation-not-cancelled', 'conflict', 'Organisation is not cancelled')
export const organisationBeingPurged = refusal('organisation-being-purged', 'conflict', 'Organisation is being purged')
export const trialLimitReached = refusal('trial-limit-reached', 'forbidden', 'Trial limit reached: users')
export const onlyOwnerDeletes = refusal('only-owner-deletes', 'forbidden', 'Only the organisation owner can delete the organisation')
export const onlyOwnerTransfers = refusal('only-owner-transfers', 'forbidden', 'Only the organisation owner can transfer the ownership')
export const newOwnerNotFound = refusal('user-not-found', 'not-found', 'User not found')
export const newOwnerIsBlocked = refusal('new-owner-blocked', 'bad-request', 'A blocked user cannot become the owner')
export const noMfaMethodLeft = fieldRefusal('no-mfa-method-left', ['allowedMfaMethods'], 'MFA is required, so a method must be allowed')
export const noMfaMethodPossible = fieldRefusal(
  'no-mfa-method-possible',
  ['allowedMfaMethods'],
  'MFA is required, so a method must be allowed that users can enrol: SMS needs a gateway of this service, and passkeys must not be off',
)
export const documentHostExpected = fieldMistake('document-host-expected', 'Must be the host of an https address, in lower case')
export const originExpected = fieldMistake('origin-expected', 'Must be an origin: https://host, or http on loopback')
export const colourExpected = fieldMistake('colour-expected', 'Must be a colour such as #0a7cff')
export const uriNotAbsolute = fieldMistake('uri-not-absolute', 'Must be an absolute URI')
export const uriWithFragment = fieldMistake('uri-with-fragment', 'Must not have a fragment')
export const uriWithCredentials = fieldMistake('uri-with-credentials', 'Must not hold a user name or password')
export const uriWithWildcard = fieldMistake('uri-with-wildcard', 'Must name one host: wildcards are not supported')
export const uriNotHttps = fieldMistake('uri-not-https', 'Must be https; http is for loopback addresses')
export const uriOfOtherScheme = fieldMistake(
  'uri-of-other-scheme',
  'Must be https, loopback http or a private-use scheme such as com.example.app:/callback',
)
export const logoNotReadable = fieldRefusal('logo-not-readable', ['content'], 'Must be a PNG, JPEG or WebP picture, in base64')
export const logoTooLarge = fieldRefusal('logo-too-large', ['content'], 'The picture must be at most 256 KiB')
export const logoTooWide = fieldRefusal('logo-too-wide', ['content'], 'The picture must be at most 2,048 pixels wide and high')
export const noWayToSignIn = fieldRefusal(
  'no-way-to-sign-in',
  ['signInPolicy', 'password'],
  'Passwords can be disabled only while passkeys or e-mail codes are allowed, or a connection works',
)
export const emailCodesAlone = fieldRefusal(
  'email-codes-alone',
  ['signInPolicy', 'emailCode'],
  'E-mail codes cannot be the only way to sign in while MFA is required',
)
export const logoNotStored = refusal('logo-not-stored', 'bad-request', 'Invalid input', (path: string[]) => ({
  errors: [{ code: 'custom', path, message: 'No such logo is stored any more: upload it again', reason: 'logo-not-stored' }],
}))
/** The refusal of a picture from a loopback address, which only development shows. */
export const pictureNotHttps = refusal('picture-not-https', 'bad-request', 'Invalid input', (path: string[]) => ({
  errors: [{ code: 'custom', path, message: urlNotHttps.text, reason: 'picture-not-https' }],
}))
