import { firstRoles } from '../texts/first-roles.ts'

interface NamedRole {
  slug: string
  name: string
  description?: string
}

/** The original words of an organisation's first roles. */
export const asMade: Record<keyof typeof firstRoles.roles, { name: string; description: string }> = {
  owner: { name: 'Owner', description: 'May do everything' },
  admin: { name: 'Admin', description: 'May do everything but delete the organisation' },
  member: { name: 'Member', description: 'May use applications' },
}

/** The name of a role. A role that every organisation starts with has a translated name, until a user renames it. */
export const roleName = (role: NamedRole): string => wordsOf(role, 'name') ?? role.name

export const roleDescription = (role: NamedRole): string => wordsOf(role, 'description') ?? role.description ?? ''

function wordsOf(role: NamedRole, field: 'name' | 'description'): string | undefined {
  if (!Object.hasOwn(asMade, role.slug)) return undefined
  const slug = role.slug as keyof typeof asMade
  return role[field] === asMade[slug][field] ? firstRoles.roles[slug][field] : undefined
}
