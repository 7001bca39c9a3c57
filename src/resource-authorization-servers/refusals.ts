import { fieldMistake, ofField, refusal } from '../platform/http/problem.ts'

export { clientNotFound, extensionNeeded, scopeSyntax } from '../clients/refusals.ts'
export {
  identifierNotAbsolute,
  identifierNotHttps,
  identifierOfThisService,
  identifierWithCredentials,
} from '../resource-servers/refusals.ts'
export { roleNotFound } from '../roles/refusals.ts'
export { teamNotFound } from '../teams/refusals.ts'

export const resourceAuthorizationServerNotFound = refusal(
  'resource-authorization-server-not-found',
  'not-found',
  'Resource authorization server not found',
)
export const issuerTaken = refusal('issuer-taken', 'conflict', 'Issuer already in use', ofField('issuer'))
export const tooManyResourceAuthorizationServers = refusal(
  'too-many-resource-authorization-servers',
  'bad-request',
  'An organisation has at most 200 resource authorization servers',
)
export const issuerWithQuery = fieldMistake('issuer-with-query', 'Must not have a query')
export const resourceNamedTwice = fieldMistake('resource-named-twice', 'Another resource has this identifier')
export const resourceNotListed = fieldMistake('resource-not-listed', 'Is not among the resources')
export const scopeNotListed = fieldMistake('scope-not-listed', 'Is no scope of the resources of this grant')
export const publicClientGetsNoAssertions = fieldMistake('public-client-gets-no-assertions', 'Is a public client, which gets no assertions')
export const clientHasNoDocument = fieldMistake('client-has-no-document', 'Is needed: the client has no document of its own')
