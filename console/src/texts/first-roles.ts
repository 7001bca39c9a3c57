import { catalogue } from './language.ts'

/** Apart from what permissions allow: many more pages name a role. */
export const firstRoles = await catalogue({ en: () => import('./en/first-roles.ts'), de: () => import('./de/first-roles.ts') })
