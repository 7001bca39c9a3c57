import { catalogue } from './language.ts'

export const historyTexts = await catalogue({ en: () => import('./en/history.ts'), de: () => import('./de/history.ts') })
