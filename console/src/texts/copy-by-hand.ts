import { catalogue } from './language.ts'

export const copyByHandTexts = await catalogue({ en: () => import('./en/copy-by-hand.ts'), de: () => import('./de/copy-by-hand.ts') })
