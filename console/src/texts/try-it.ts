import { catalogue } from './language.ts'

export const tryTexts = await catalogue({ en: () => import('./en/try-it.ts'), de: () => import('./de/try-it.ts') })
