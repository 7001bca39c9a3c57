import { catalogue } from './language.ts'

/** These are separate from the descriptions of permissions: many more pages name a role. */
export const firstRoles = await catalogue({ en: () => import('./en/first-roles.ts'), de: () => import('./de/first-roles.ts') })
