/** What Okta sends, by its reference of SCIM 2.0 and its test suite. */
import type { Step } from './steps.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0'
const patchOp = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
const list = { schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'] }
const error = { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'] }

const user = {
  schemas: [`${core}:User`],
  userName: 'okta.{{run}}@{{domain}}',
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: 'okta.{{run}}@{{domain}}', type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7-{{run}}',
  groups: [],
  password: '1mz050nq',
  active: true,
}

export const okta: readonly Step[] = [
  {
    name: 'reads one user',
    method: 'GET',
    path: '/Users?count=1&startIndex=1',
    status: 200,
    has: { ...list, itemsPerPage: 1, startIndex: 1 },
  },
  {
    name: 'looks for the user',
    method: 'GET',
    path: '/Users?filter=userName eq "okta.{{run}}@{{domain}}"&startIndex=1&count=100',
    status: 200,
    has: { ...list, totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] },
  },
  { name: 'reads a user who does not exist', method: 'GET', path: '/Users/010101001010101011001010101011', status: 404, has: error },
  {
    name: 'creates the user',
    method: 'POST',
    path: '/Users',
    body: user,
    status: 201,
    has: {
      userName: user.userName,
      name: user.name,
      emails: user.emails,
      displayName: 'Test User',
      locale: 'en-US',
      active: true,
      meta: { resourceType: 'User' },
    },
    stores: { user: 'id' },
  },
  { name: 'creates the user again', method: 'POST', path: '/Users', body: user, status: 409, has: { ...error, scimType: 'uniqueness' } },
  { name: 'reads the user', method: 'GET', path: '/Users/{{user}}', status: 200, has: { id: '{{user}}', externalId: user.externalId } },
  {
    name: 'replaces the user',
    method: 'PUT',
    path: '/Users/{{user}}',
    body: { ...user, id: '{{user}}', name: { givenName: 'Another', familyName: 'Name' }, meta: { resourceType: 'User' } },
    status: 200,
    has: { name: { givenName: 'Another', familyName: 'Name' }, active: true },
  },
  {
    name: 'deactivates the user',
    method: 'PATCH',
    path: '/Users/{{user}}',
    body: { schemas: patchOp, Operations: [{ op: 'replace', value: { active: false } }] },
    status: 200,
    has: { active: false },
  },
  {
    name: 'activates the user',
    method: 'PUT',
    path: '/Users/{{user}}',
    body: { ...user, id: '{{user}}', name: { givenName: 'Another', familyName: 'Name' }, active: true },
    status: 200,
    has: { active: true },
  },
  { name: 'reads the groups', method: 'GET', path: '/Groups?startIndex=1&count=100', status: 200, has: list },
  {
    name: 'pushes a group',
    method: 'POST',
    path: '/Groups',
    body: { schemas: [`${core}:Group`], displayName: 'Okta {{run}}', members: [] },
    status: 201,
    has: { displayName: 'Okta {{run}}' },
    stores: { group: 'id' },
  },
  {
    name: 'pushes its members',
    method: 'PATCH',
    path: '/Groups/{{group}}',
    body: {
      schemas: patchOp,
      Operations: [{ op: 'add', path: 'members', value: [{ value: '{{user}}', display: 'okta.{{run}}@{{domain}}' }] }],
    },
    status: 204,
  },
  {
    name: 'renames the group',
    method: 'PATCH',
    path: '/Groups/{{group}}',
    body: { schemas: patchOp, Operations: [{ op: 'replace', value: { id: '{{group}}', displayName: 'Okta renamed {{run}}' } }] },
    status: 204,
  },
  {
    name: 'reads the group',
    method: 'GET',
    path: '/Groups/{{group}}',
    status: 200,
    has: { displayName: 'Okta renamed {{run}}', members: [{ value: '{{user}}' }] },
  },
  {
    name: 'exchanges members',
    method: 'PATCH',
    path: '/Groups/{{group}}',
    body: {
      schemas: patchOp,
      Operations: [
        { op: 'remove', path: 'members[value eq "{{user}}"]' },
        { op: 'add', path: 'members', value: [{ value: '{{user}}', display: 'okta.{{run}}@{{domain}}' }] },
      ],
    },
    status: 204,
  },
  {
    name: 'replaces the members',
    method: 'PATCH',
    path: '/Groups/{{group}}',
    body: { schemas: patchOp, Operations: [{ op: 'replace', path: 'members', value: [{ value: '{{user}}', display: 'Test User' }] }] },
    status: 204,
  },
  { name: 'reads the user with the group', method: 'GET', path: '/Users/{{user}}', status: 200, has: { groups: [{ value: '{{group}}' }] } },
  { name: 'deletes the group', method: 'DELETE', path: '/Groups/{{group}}', status: 204 },
  {
    name: 'deactivates the user for good',
    method: 'PATCH',
    path: '/Users/{{user}}',
    body: { schemas: patchOp, Operations: [{ op: 'replace', value: { active: false } }] },
    status: 200,
    has: { active: false },
  },
]
