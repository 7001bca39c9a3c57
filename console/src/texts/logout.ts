import { catalogue } from './language.ts'

export const logoutTexts = await catalogue({ en: () => import('./en/logout.ts'), de: () => import('./de/logout.ts') })
