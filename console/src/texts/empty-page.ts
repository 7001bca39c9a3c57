import { catalogue } from './language.ts'

export const emptyPageTexts = await catalogue({ en: () => import('./en/empty-page.ts'), de: () => import('./de/empty-page.ts') })
