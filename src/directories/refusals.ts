import { fieldMistake, fieldRefusal, ofField, refusal } from '../platform/http/problem.ts'

export { ownerRoleNotMapped } from '../connections/refusals.ts'
export { connectionNotFound } from '../domains/refusals.ts'
export { roleNotFound } from '../roles/refusals.ts'
export { teamNotFound } from '../teams/refusals.ts'

export const directoryNotFound = refusal('directory-not-found', 'not-found', 'Directory not found')
export const directoryNameTaken = refusal('directory-name-taken', 'conflict', 'Directory name already in use', ofField('name'))
export const tooManyDirectories = refusal('too-many-directories', 'bad-request', 'An organisation has at most 20 directories')
export const matchNeedsConnection = fieldRefusal(
  'match-needs-connection',
  ['userMatch'],
  'externalId needs the connection whose subjects it is compared with: set connectionId',
)
export const oneGroupName = fieldMistake('one-group-name', 'Name the group by displayName or by externalId: exactly one of them')
export const groupMappedTwice = fieldMistake('group-mapped-twice', 'Another mapping names this group')

export const directoryTokenNotFound = refusal('directory-token-not-found', 'not-found', 'Token not found')
export const tooManyDirectoryTokens = refusal('too-many-directory-tokens', 'bad-request', 'At most two tokens')
export const tokenExpiryHasPassed = fieldRefusal('token-expiry-has-passed', ['expiresAt'], 'Must be in the future')
