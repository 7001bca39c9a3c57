export default {
  title: 'Unused',
  description: 'What nobody has needed for a long time, and could go.',
  nothing: 'Nothing is unused here.',
  oldest: (count: number) => `Only the oldest ${count} were looked at.`,
  name: 'Name',
  lastUsed: 'Last used',
  created: 'Created',
  permissionCount: (count: number) => (count === 1 ? '1 permission' : `${count} permissions`),

  roles: 'Roles that nobody has',
  rolesHint: 'A role that new users get by default is needed all the same, and is left out.',
  deleteRoles: 'Delete',
  deleteRolesQuestion: (count: number) => (count === 1 ? 'Delete 1 role?' : `Delete ${count} roles?`),
  deletedRoles: (count: number) => (count === 1 ? '1 role deleted' : `${count} roles deleted`),

  permissions: 'Permissions that only the owner’s role gives',
  permissionsHint: 'Nobody else can do these things. A role for them would let the owner hand them on.',

  keys: 'API keys without use for 90 days',
  keysHint: 'Programs that still have one of them are refused after it is deleted.',
  deleteKeys: 'Delete',
  deleteKeysQuestion: (count: number) => (count === 1 ? 'Delete 1 API key?' : `Delete ${count} API keys?`),
  deletedKeys: (count: number) => (count === 1 ? '1 API key deleted' : `${count} API keys deleted`),

  clients: 'Applications without use for 90 days',
  clientsHint: 'A revoked application gets no more tokens. It can be activated again.',
  revokeClients: 'Revoke',
  revokeClientsQuestion: (count: number) => (count === 1 ? 'Revoke 1 application?' : `Revoke ${count} applications?`),
  revokedClients: (count: number) => (count === 1 ? '1 application revoked' : `${count} applications revoked`),

  users: 'Users who have never signed in',
  usersHint: 'Send them a link that sets their password, or delete them: the list of users has both for many at once.',
  allUsers: (count: number, formatted: string) => (count === 1 ? 'Show the one' : `Show all ${formatted}`),
}
