/** The permissions that guard routes of the service. An operator may add others, for roles and tokens. */
export type PermissionSlug =
  | `users:${'read' | 'create' | 'update' | 'delete'}`
  | `roles:${'read' | 'create' | 'update' | 'delete'}`
  | `teams:${'read' | 'create' | 'update' | 'delete'}`
  | `invitations:${'read' | 'create' | 'delete'}`
  | `organisation:${'read' | 'update' | 'delete' | 'manage'}`
  | `clients:${'read' | 'create' | 'update' | 'delete'}`
  | `webhooks:${'read' | 'create' | 'update' | 'delete'}`
  | `api_keys:${'read' | 'create' | 'delete'}`
  | 'audit:read'
