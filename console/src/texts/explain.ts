import { catalogue } from './language.ts'

export const explainTexts = await catalogue({ en: () => import('./en/explain.ts'), de: () => import('./de/explain.ts') })
