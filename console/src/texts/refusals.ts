import { catalogue } from './language.ts'

export const refusalsTexts = await catalogue({ en: () => import('./en/refusals.ts'), de: () => import('./de/refusals.ts') })
