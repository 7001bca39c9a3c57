import { catalogue } from './language.ts'

export const rolesTexts = await catalogue({ en: () => import('./en/roles.ts'), de: () => import('./de/roles.ts') })
