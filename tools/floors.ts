/** The folders of src/, lowest first: each may import from the floors below its own. */
export const floors: readonly (readonly string[])[] = [
  ['platform'],
  ['activity', 'mails'],
  ['access'],
  ['organisations', 'roles', 'tokens', 'claims', 'audit', 'idempotency'],
  ['accounts', 'clients', 'registration-tokens', 'resource-servers', 'webhooks'],
  ['sessions', 'teams', 'resource-authorization-servers', 'profile', 'domains', 'identities', 'automatic-clients', 'api-keys'],
  ['oauth', 'backchannel-logout', 'passwords', 'mfa', 'passkeys', 'email-codes'],
  ['sign-in', 'users', 'invitations', 'provisioning', 'connections', 'directories', 'setup-links', 'workloads'],
  ['pages', 'console', 'system', 'operations', 'search', 'sign-ins', 'statistics', 'configuration', 'import', 'sign-in-checks', 'undo'],
  ['doctor'],
  ['app', 'isolation', 'seeds', 'test-mode', 'cli'],
]
