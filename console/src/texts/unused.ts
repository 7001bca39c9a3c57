import { catalogue } from './language.ts'

export const unusedTexts = await catalogue({ en: () => import('./en/unused.ts'), de: () => import('./de/unused.ts') })
