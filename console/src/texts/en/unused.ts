export default {
  title: 'Unused',
  description: 'What no one has used for a long time.',
  nothing: 'Nothing is unused here.',
  oldest: (count: number) => `Only the oldest ${count} were checked.`,
  name: 'Name',
  lastUsed: 'Last used',
  created: 'Created',
  permissionCount: (count: number) => (count === 1 ? '1 permission' : `${count} permissions`),

  roles: 'Roles that no user has',
  rolesHint: 'The default role for new users is left out.',
  deleteRoles: 'Delete',
  deleteRolesQuestion: (count: number) => (count === 1 ? 'Delete 1 role?' : `Delete ${count} roles?`),
  deletedRoles: (count: number) => (count === 1 ? '1 role deleted' : `${count} roles deleted`),

  permissions: 'Permissions that only the owner’s role gives',
  permissionsHint: 'No one else has them. Create a role for them to give them to others.',

  keys: 'API keys unused for 90 days',
  keysHint: 'Programs that use a deleted key are refused.',
  deleteKeys: 'Delete',
  deleteKeysQuestion: (count: number) => (count === 1 ? 'Delete 1 API key?' : `Delete ${count} API keys?`),
  deletedKeys: (count: number) => (count === 1 ? '1 API key deleted' : `${count} API keys deleted`),

  clients: 'Applications unused for 90 days',
  clientsHint: 'A revoked application gets no more tokens. It can be activated again.',
  revokeClients: 'Revoke',
  revokeClientsQuestion: (count: number) => (count === 1 ? 'Revoke 1 application?' : `Revoke ${count} applications?`),
  revokedClients: (count: number) => (count === 1 ? '1 application revoked' : `${count} applications revoked`),

  users: 'Users who have never signed in',
  usersHint: 'Send them a link to set their password, or delete them: the list of users does both for many at once.',
  allUsers: (count: number, formatted: string) => (count === 1 ? 'Show the one' : `Show all ${formatted}`),
}
