/**
 * Every mistake for which a request of a directory is refused: by its code, in English, as the directory is told. `{expected}` stands for what is taken, such as a limit or
 * the name of what is missing, and `{received}` for the name of what was sent; no value of a person is in either.
 */
export const directoryMistakes = {
  'token-not-valid': 'The token is not a valid token of an active directory at this address',
  'organisation-suspended': 'The organisation is suspended',
  'not-activated': 'An administrator has yet to activate the directory',
  'unknown-resource': 'There is no such resource',
  'unknown-endpoint': 'There is no such endpoint',
  method: 'Use {expected}',
  'not-offered': '{received} is not offered',
  'version-changed': 'The resource has changed',
  'discovery-not-filtered': 'The discovery documents cannot be filtered',

  'owner-not-managed': 'The organisation owner is not managed by a directory',
  'managed-by-another': 'The user is managed by the directory {received}',
  'address-taken': 'The address belongs to another account',
  'account-exceeds-voucher':
    'The account has permissions that the administrator who vouches for the directory does not hold, so its address stays as it is',
  'address-not-changed': 'The settings of the directory keep addresses as they are',
  'address-not-of-domain': 'The address is of no verified domain of the organisation',
  'user-name-taken': 'userName belongs to another user of the directory',
  'external-id-taken': 'externalId belongs to another resource of the directory',
  'display-name-taken': 'displayName belongs to another group of the directory',
  'user-exists': 'The directory manages this user already',
  'several-users': 'externalId, userName and the address belong to different users',
  'attributes-too-long': 'The attributes of a user have at most 16 KiB',
  'no-address': 'emails has no address',
  'no-valid-address': 'emails has no valid address',

  'unknown-member': 'A member is no user whom the directory can see',
  'member-not-named': 'The value of a member is the id of a user',
  'member-not-a-user': 'The members of a group are users',
  'members-by-value': 'Members are selected by value eq',
  'group-name': 'displayName has 1 to 255 characters, without control characters',
  'too-many-members': 'A group has at most {expected} members',
  'too-many-groups': 'A directory has at most {expected} groups',

  required: '{expected} is required',
  'read-only': '{received} is read-only',
  'unknown-attribute': 'There is no attribute {received}',
  'not-a-list': '{received} is no list',
  'not-an-object': '{received} is an object',
  'not-a-string': '{received} is a string',
  'not-a-boolean': '{received} is true or false',
  'not-a-number': '{received} is a whole number',
  'not-a-time': '{received} is a time',
  'one-value': '{received} has one value',
  'too-many-values': '{received} has at most {expected} values',
  'too-long': '{received} has at most {expected} characters',
  'control-characters': '{received} has control characters',
  'invisible-characters': '{received} has characters that cannot be seen',

  'body-not-an-object': 'The body is not a JSON object',
  'body-too-deep': 'The body is nested at most {expected} deep',
  'characters-not-stored': 'A text has characters that cannot be stored',
  'no-operations': 'Operations is a list with at least one operation',
  'too-many-operations': 'A request has at most {expected} operations',
  'operation-not-an-object': 'An operation is an object',
  'unknown-operation': 'op is add, replace or remove',
  'path-not-a-string': 'path is a string',
  'path-needed': 'The operation remove needs a path',
  'object-without-path': 'Without a path, the value is an object',
  'value-needed': 'The operation {received} needs a value',
  'nothing-selected': 'The filter selects no value of {received}',

  'filter-too-long': 'A filter has at most {expected} bytes',
  'filter-too-deep': 'A filter is nested at most {expected} deep',
  'filter-characters': 'A value in the filter has characters that no attribute has',
  'filter-string': 'A value in the filter is not a JSON string',
  'filter-unreadable': 'The filter cannot be read',
  'not-filterable': 'It is not possible to filter by {received}',
  'null-compared': '{received} can be equal to null, or not',
  'unknown-part': '{expected} has no {received}',
  'no-list-in-a-list': '{received} has no values of its own',

  'trial-limit-reached': 'Trial limit reached: users',
  'email-taken': 'Email already registered',
  'body-too-large': 'The body is larger than 1 MiB',
  'unsupported-media-type': 'The body is no JSON by its Content-Type',
  'invalid-json': 'The body is not valid JSON',
  'malformed-request': 'Malformed request',

  silent: 'No request for {expected} days',
} as const

export type MistakeCode = keyof typeof directoryMistakes

export interface DirectoryMistake<Code extends string = MistakeCode> {
  code: Code
  expected: string | null
  received: string | null
}

export const mistakeInWords = (words: Readonly<Record<MistakeCode, string>>, { code, ...named }: DirectoryMistake): string =>
  words[code].replaceAll(/\{(expected|received)\}/g, (_place, name: 'expected' | 'received') => named[name] ?? '')

/** A mistake in the words of a language; undefined for one that it has no words for. */
export const reasonInWords = (words: Readonly<Record<MistakeCode, string>>, reason: DirectoryMistake<string> | null): string | undefined =>
  reason && isOf(words, reason) ? mistakeInWords(words, reason) : undefined

const isOf = (words: object, reason: DirectoryMistake<string>): reason is DirectoryMistake => Object.hasOwn(words, reason.code)
