import { catalogue } from './language.ts'

export const claimsTexts = await catalogue({ en: () => import('./en/claims.ts'), de: () => import('./de/claims.ts') })
