import type { rolesTexts } from '../../texts/roles.ts'

/** Initial permissions of a role. Permissions that do not exist, or that the user cannot grant, are left out. */
export const templates: Record<keyof typeof rolesTexts.templates, (slug: string) => boolean> = {
  empty: () => false,
  reader: (slug) => slug.endsWith(':read'),
  helpDesk: (slug) =>
    ['users:read', 'users:update', 'invitations:read', 'invitations:create', 'roles:read', 'teams:read', 'audit:read'].includes(slug),
  peopleManager: (slug) => /^(?:users|invitations|teams):/.test(slug) || slug === 'roles:read',
  developer: (slug) => /^(?:clients|webhooks|api_keys):/.test(slug) || slug === 'audit:read',
}
