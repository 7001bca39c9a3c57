import { catalogue } from './language.ts'

export const usersTexts = await catalogue({ en: () => import('./en/users.ts'), de: () => import('./de/users.ts') })
