/** Every way in which a directory is told no, beside those of the language itself. */
import { mistake, ScimError } from '../protocol/errors.ts'

export const credentialsRefused = () =>
  new ScimError(401, undefined, mistake('token-not-valid'), { 'www-authenticate': 'Bearer realm="scim"' })
export const organisationSuspended = () => new ScimError(403, undefined, mistake('organisation-suspended'))
export const awaitsActivation = () => new ScimError(403, undefined, mistake('not-activated'))
export const resourceNotFound = () => new ScimError(404, undefined, mistake('unknown-resource'))
export const endpointNotFound = () => new ScimError(404, undefined, mistake('unknown-endpoint'))
/** @param allow such as `GET, POST` */
export const methodNotAllowed = (allow: string) => new ScimError(405, undefined, mistake('method', { expected: allow }), { allow })
export const notOffered = (endpoint: string) => new ScimError(501, undefined, mistake('not-offered', { received: endpoint }))
export const ownerNotManaged = () => new ScimError(403, undefined, mistake('owner-not-managed'))
export const versionChanged = () => new ScimError(412, undefined, mistake('version-changed'))
export const managedByAnother = (name: string) => new ScimError(409, 'uniqueness', mistake('managed-by-another', { received: name }))
export const addressTaken = () => new ScimError(409, 'uniqueness', mistake('address-taken'))
export const userNameTaken = () => new ScimError(409, 'uniqueness', mistake('user-name-taken'))
export const externalIdTaken = () => new ScimError(409, 'uniqueness', mistake('external-id-taken'))
export const userExists = () => new ScimError(409, 'uniqueness', mistake('user-exists'))
export const severalUsers = () => new ScimError(409, 'uniqueness', mistake('several-users'))
export const displayNameTaken = () => new ScimError(409, 'uniqueness', mistake('display-name-taken'))
export const addressNotChanged = () => new ScimError(400, 'mutability', mistake('address-not-changed'))
export const accountExceedsVoucher = () => new ScimError(400, 'mutability', mistake('account-exceeds-voucher'))
export const addressNotOfDomain = () => new ScimError(400, 'invalidValue', mistake('address-not-of-domain'))
export const tooManyAttributes = () => new ScimError(400, 'invalidValue', mistake('attributes-too-long'))
export const unknownMember = () => new ScimError(400, 'invalidValue', mistake('unknown-member'))
export const tooManyMembers = (max: number) => new ScimError(400, 'tooMany', mistake('too-many-members', { expected: max }))
export const tooManyGroups = (max: number) => new ScimError(400, 'tooMany', mistake('too-many-groups', { expected: max }))
/** So that no client believes that its filter was applied: RFC 7644 §4. */
export const discoveryNotFiltered = () => new ScimError(403, undefined, mistake('discovery-not-filtered'))
