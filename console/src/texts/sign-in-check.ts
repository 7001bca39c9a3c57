import { catalogue } from './language.ts'

export const signInCheckTexts = await catalogue({ en: () => import('./en/sign-in-check.ts'), de: () => import('./de/sign-in-check.ts') })
