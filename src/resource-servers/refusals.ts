import { fieldMistake, ofField, refusal } from '../platform/http/problem.ts'

export { clientNotFound, extensionNeeded, resourceServerNotFound, scopeSyntax } from '../clients/refusals.ts'

export const identifierTaken = refusal('identifier-taken', 'conflict', 'Identifier already in use', ofField('identifier'))
export const resourceServerIsDefault = refusal(
  'resource-server-is-default',
  'conflict',
  'The resource server is the defaultResource of a client',
)
export const tooManyResourceServers = refusal(
  'too-many-resource-servers',
  'bad-request',
  'An organisation has at most 200 resource servers',
)

export const identifierNotAbsolute = fieldMistake('identifier-not-absolute', 'Must be an absolute URI without a fragment')
export const identifierWithCredentials = fieldMistake('identifier-with-credentials', 'Must not have a user name or a password')
export const identifierNotHttps = fieldMistake('identifier-not-https', 'Must be https; during development also http on a loopback address')
export const identifierOfThisService = fieldMistake('identifier-of-this-service', 'Must not be an address of this service')
export const scopeOfOpenid = fieldMistake('scope-of-openid', 'Is a scope of OpenID Connect')
export const scopeNamedTwice = fieldMistake('scope-named-twice', 'Another scope has this name')
export const publicClientCannotIntrospect = fieldMistake(
  'public-client-cannot-introspect',
  'Is a public client, which cannot introspect tokens',
)
