/** What Entra ID sends, by "Develop and plan provisioning for a SCIM endpoint" of its documentation. */
import type { Step } from './steps.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0'
const patchOp = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
const list = { schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'] }

export const entra: readonly Step[] = [
  {
    name: 'tests the connection',
    method: 'GET',
    path: '/Users?filter=userName eq "{{run}}-nobody"',
    status: 200,
    has: { ...list, totalResults: 0, Resources: [] },
  },
  { name: 'reads the schemas', method: 'GET', path: '/Schemas', status: 200, has: list },
  {
    name: 'creates a user',
    method: 'POST',
    path: '/Users',
    body: {
      schemas: [`${core}:User`, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId: '{{run}}-0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Test_User_{{run}}@{{domain}}',
      active: true,
      emails: [{ primary: true, type: 'work', value: 'Test_User_{{run}}@{{domain}}' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
    },
    status: 201,
    has: { userName: 'Test_User_{{run}}@{{domain}}', active: true, meta: { resourceType: 'User' } },
    stores: { user: 'id' },
  },
  {
    name: 'reads the user',
    method: 'GET',
    path: '/Users/{{user}}',
    status: 200,
    has: { id: '{{user}}', name: { familyName: 'familyName' } },
  },
  { name: 'reads a user who does not exist', method: 'GET', path: '/Users/5171a35d82074e068ce2', status: 404, has: { status: '404' } },
  {
    name: 'finds the user',
    method: 'GET',
    path: '/Users?filter=userName eq "Test_User_{{run}}@{{domain}}"',
    status: 200,
    has: { totalResults: 1, Resources: [{ id: '{{user}}' }] },
  },
  {
    name: 'changes the values of lists',
    method: 'PATCH',
    path: '/Users/{{user}}',
    body: {
      schemas: patchOp,
      Operations: [
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated_{{run}}@{{domain}}' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      ],
    },
    status: 200,
    has: { emails: [{ value: 'updated_{{run}}@{{domain}}', type: 'work', primary: true }], name: { familyName: 'updatedFamilyName' } },
  },
  {
    name: 'adds what is not there',
    method: 'PATCH',
    path: '/Users/{{user}}',
    body: {
      Operations: [
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 206 555 0100' },
        { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Redmond' },
        { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager', value: '{{user}}' },
        {
          op: 'Add',
          value: { 'name.givenName': 'updatedGivenName', 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'Sales' },
        },
      ],
    },
    status: 200,
    has: {
      phoneNumbers: [{ type: 'mobile', value: '+1 206 555 0100' }],
      addresses: [{ type: 'work', locality: 'Redmond' }],
      name: { givenName: 'updatedGivenName' },
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Sales', manager: { value: '{{user}}' } },
    },
  },
  {
    name: 'changes userName',
    method: 'PATCH',
    path: '/Users/{{user}}',
    body: { schemas: patchOp, Operations: [{ op: 'Replace', path: 'userName', value: '5b50642d-{{run}}@{{domain}}' }] },
    status: 200,
    has: { userName: '5b50642d-{{run}}@{{domain}}' },
  },
  {
    name: 'creates a group',
    method: 'POST',
    path: '/Groups',
    body: {
      schemas: [`${core}:Group`, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '{{run}}-8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'displayName {{run}}',
      meta: { resourceType: 'Group' },
    },
    status: 201,
    has: { displayName: 'displayName {{run}}', meta: { resourceType: 'Group' } },
    stores: { group: 'id' },
  },
  {
    name: 'reads the group without its members',
    method: 'GET',
    path: '/Groups/{{group}}?excludedAttributes=members',
    status: 200,
    has: { id: '{{group}}' },
  },
  {
    name: 'finds the group',
    method: 'GET',
    path: '/Groups?excludedAttributes=members&filter=displayName eq "displayName {{run}}"',
    status: 200,
    has: { totalResults: 1, Resources: [{ id: '{{group}}' }] },
  },
  {
    name: 'renames the group',
    method: 'PATCH',
    path: '/Groups/{{group}}',
    body: { schemas: patchOp, Operations: [{ op: 'Replace', path: 'displayName', value: 'renamed {{run}}' }] },
    status: 204,
  },
  {
    name: 'adds a member',
    method: 'PATCH',
    path: '/Groups/{{group}}',
    body: { schemas: patchOp, Operations: [{ op: 'Add', path: 'members', value: [{ $ref: null, value: '{{user}}' }] }] },
    status: 204,
  },
  {
    name: 'asks whether the user is a member',
    method: 'GET',
    path: '/Groups?filter=id eq "{{group}}" and members eq "{{user}}"&excludedAttributes=members',
    status: 200,
    has: { totalResults: 1 },
  },
  {
    name: 'removes the member',
    method: 'PATCH',
    path: '/Groups/{{group}}',
    body: { schemas: patchOp, Operations: [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: '{{user}}' }] }] },
    status: 204,
  },
  { name: 'deletes the group', method: 'DELETE', path: '/Groups/{{group}}', status: 204 },
  {
    name: 'disables the user',
    method: 'PATCH',
    path: '/Users/{{user}}',
    body: { schemas: patchOp, Operations: [{ op: 'Replace', path: 'active', value: 'False' }] },
    status: 200,
    has: { active: false },
  },
  { name: 'deletes the user', method: 'DELETE', path: '/Users/{{user}}', status: 204 },
  { name: 'finds the user no more', method: 'GET', path: '/Users/{{user}}', status: 404 },
]
