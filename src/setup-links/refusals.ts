import { fieldRefusal, refusal } from '../platform/http/problem.ts'

export { setupLinkEnded, setupStepTaken } from '../access/refusals.ts'

export const setupLinkNotFound = refusal('setup-link-not-found', 'not-found', 'Set-up link not found')
export const tooManySetupLinks = refusal('too-many-setup-links', 'bad-request', 'An organisation has at most 20 open set-up links')
export const setupSsoNeedsConnection = fieldRefusal(
  'setup-sso-needs-connection',
  ['settings', 'sso'],
  'Single sign-on needs the purpose domain, and oidc or saml',
)
export const setupLinkNotFinished = refusal('setup-link-not-finished', 'conflict', 'Not everything that the link is for has been set up')
export const invalidSetupLink = refusal('invalid-setup-link', 'bad-request', 'This link does not exist or no longer works')
export const setupStepMissing = refusal('setup-step-missing', 'conflict', 'The step before this one is missing')
