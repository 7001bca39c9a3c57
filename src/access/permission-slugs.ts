/** The permissions that guard routes of the service. An operator may add others, for roles and tokens. */
export const permissionSlugs = [
  ...(['users:read', 'users:create', 'users:update', 'users:delete'] as const),
  ...(['roles:read', 'roles:create', 'roles:update', 'roles:delete'] as const),
  ...(['teams:read', 'teams:create', 'teams:update', 'teams:delete'] as const),
  ...(['invitations:read', 'invitations:create', 'invitations:delete'] as const),
  ...(['organisation:read', 'organisation:update', 'organisation:delete', 'organisation:manage'] as const),
  ...(['connections:read', 'connections:create', 'connections:update', 'connections:delete'] as const),
  ...(['domains:read', 'domains:update'] as const),
  ...(['clients:read', 'clients:create', 'clients:update', 'clients:delete'] as const),
  ...(['webhooks:read', 'webhooks:create', 'webhooks:update', 'webhooks:delete'] as const),
  ...(['api_keys:read', 'api_keys:create', 'api_keys:delete'] as const),
  'audit:read',
] as const

export type PermissionSlug = (typeof permissionSlugs)[number]
