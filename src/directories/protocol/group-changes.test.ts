import { describe, expect, it } from 'vitest'
import { type GroupChange, groupChanges } from './group-changes.ts'
import type { Json } from './json.ts'
import { readOperations } from './patch.ts'

const changes = (Operations: Json) => groupChanges(readOperations({ Operations }))

describe('a PATCH of a group', () => {
  it.each<[string, Json, GroupChange[]]>([
    [
      'Okta renames it, and sends its id along',
      [{ op: 'replace', value: { id: 'grp_1', displayName: 'Sales' } }],
      [{ kind: 'set', attribute: 'displayName', value: 'Sales' }],
    ],
    [
      'Okta adds members',
      [{ op: 'add', path: 'members', value: [{ value: 'usr_1', display: 'Anna' }, { value: 'usr_2' }, { value: 'usr_1' }] }],
      [{ kind: 'add_members', userIds: ['usr_1', 'usr_2'] }],
    ],
    [
      'the URN of the schema holds attributes',
      [{ op: 'replace', value: { 'urn:ietf:params:scim:schemas:core:2.0:Group': { displayName: 'Sales', id: 'x' } } }],
      [{ kind: 'set', attribute: 'displayName', value: 'Sales' }],
    ],
    ['schemas follow from the attributes', [{ op: 'add', path: 'schemas', value: ['urn:a'] }], []],
    ['Okta removes a member', [{ op: 'remove', path: 'members[value eq "usr_1"]' }], [{ kind: 'remove_members', userIds: ['usr_1'] }]],
    [
      'Okta replaces the members',
      [{ op: 'replace', path: 'members', value: [{ value: 'usr_1' }] }],
      [{ kind: 'replace_members', userIds: ['usr_1'] }],
    ],
    [
      'Entra removes members by naming them',
      [{ op: 'Remove', path: 'members', value: [{ value: 'usr_1', $ref: null }] }],
      [{ kind: 'remove_members', userIds: ['usr_1'] }],
    ],
    [
      'a removal that names no member removes none',
      [{ op: 'remove', path: 'members', value: [] }],
      [{ kind: 'remove_members', userIds: [] }],
    ],
    ['a removal without a value removes all', [{ op: 'remove', path: 'members' }], [{ kind: 'replace_members', userIds: [] }]],
    [
      'members are named by a whole path, too',
      [{ op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:Group:members', value: 'usr_1' }],
      [{ kind: 'add_members', userIds: ['usr_1'] }],
    ],
    [
      'several members are selected at once',
      [{ op: 'remove', path: 'members[value eq "usr_1" or value eq "usr_2"]' }],
      [{ kind: 'remove_members', userIds: ['usr_1', 'usr_2'] }],
    ],
    ['its external id is cleared', [{ op: 'remove', path: 'externalId' }], [{ kind: 'set', attribute: 'externalId', value: null }]],
    ['attributes of other schemas are ignored', [{ op: 'add', path: 'urn:acme:2.0:Group:owner', value: 'x' }], []],
    ['unknown members of a value are ignored', [{ op: 'replace', value: { description: 'x', schemas: [] } }], []],
    ['no member is added', [{ op: 'add', path: 'members', value: [] }], [{ kind: 'add_members', userIds: [] }]],
  ])('%s', (_says, operations, expected) => {
    expect(changes(operations)).toEqual(expected)
  })

  it.each<[string, Json, string]>([
    ['a group among the members', [{ op: 'add', path: 'members', value: [{ value: 'grp_2', type: 'Group' }] }], 'invalidValue'],
    ['a member without an id', [{ op: 'add', path: 'members', value: [{ display: 'Anna' }] }], 'invalidValue'],
    ['a group without a name', [{ op: 'replace', path: 'displayName', value: null }], 'invalidValue'],
    ['a removal of its name', [{ op: 'remove', path: 'displayName' }], 'mutability'],
    ['an attribute that there is not', [{ op: 'add', path: 'colour', value: 'red' }], 'invalidPath'],
    ['a change of a member', [{ op: 'replace', path: 'members[value eq "usr_1"].display', value: 'x' }], 'mutability'],
    ['a selection by anything but the id', [{ op: 'remove', path: 'members[display eq "Anna"]' }], 'invalidPath'],
    ['the id of the group', [{ op: 'replace', path: 'id', value: 'x' }], 'mutability'],
  ])('is refused for %s', (_what, operations, scimType) => {
    expect(() => changes(operations)).toThrow(expect.objectContaining({ status: 400, scimType }))
  })
})
