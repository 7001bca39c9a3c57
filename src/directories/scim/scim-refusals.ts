/** Every way in which a directory is told no, beside those of the language itself. */
import { ScimError } from '../protocol/errors.ts'

export const credentialsRefused = () =>
  new ScimError(401, undefined, 'The token is not a valid token of an active directory at this address', {
    'www-authenticate': 'Bearer realm="scim"',
  })
export const organisationSuspended = () => new ScimError(403, undefined, 'The organisation is suspended')
export const awaitsActivation = () => new ScimError(403, undefined, 'An administrator has yet to activate the directory')
export const resourceNotFound = () => new ScimError(404, undefined, 'There is no such resource')
export const endpointNotFound = () => new ScimError(404, undefined, 'There is no such endpoint')
/** @param allow such as `GET, POST` */
export const methodNotAllowed = (allow: string) => new ScimError(405, undefined, `Use ${allow}`, { allow })
export const notOffered = (endpoint: string) => new ScimError(501, undefined, `${endpoint} is not offered`)
export const ownerNotManaged = () => new ScimError(403, undefined, 'The organisation owner is not managed by a directory')
export const versionChanged = () => new ScimError(412, undefined, 'The resource has changed')
export const managedByAnother = (name: string) => new ScimError(409, 'uniqueness', `The user is managed by the directory ${name}`)
export const addressTaken = () => new ScimError(409, 'uniqueness', 'The address belongs to another account')
export const userNameTaken = () => new ScimError(409, 'uniqueness', 'userName belongs to another user of the directory')
export const externalIdTaken = () => new ScimError(409, 'uniqueness', 'externalId belongs to another resource of the directory')
export const userExists = () => new ScimError(409, 'uniqueness', 'The directory manages this user already')
export const severalUsers = () => new ScimError(409, 'uniqueness', 'externalId, userName and the address belong to different users')
export const displayNameTaken = () => new ScimError(409, 'uniqueness', 'displayName belongs to another group of the directory')
export const addressNotChanged = () => new ScimError(400, 'mutability', 'The settings of the directory keep addresses as they are')
export const addressNotOfDomain = () => new ScimError(400, 'invalidValue', 'The address is of no verified domain of the organisation')
export const tooManyAttributes = () => new ScimError(400, 'invalidValue', 'The attributes of a user have at most 16 KiB')
export const unknownMember = () => new ScimError(400, 'invalidValue', 'A member is no user whom the directory can see')
export const tooManyMembers = (max: number) => new ScimError(400, 'tooMany', `A group has at most ${max} members`)
export const tooManyGroups = (max: number) => new ScimError(400, 'tooMany', `A directory has at most ${max} groups`)
/** So that no client believes that its filter was applied: RFC 7644 §4. */
export const discoveryNotFiltered = () => new ScimError(403, undefined, 'The discovery documents cannot be filtered')
