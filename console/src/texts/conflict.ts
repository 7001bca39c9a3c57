import { catalogue } from './language.ts'

export const conflictTexts = await catalogue({ en: () => import('./en/conflict.ts'), de: () => import('./de/conflict.ts') })
