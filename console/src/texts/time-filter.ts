import { catalogue } from './language.ts'

export const timeFilterTexts = await catalogue({ en: () => import('./en/time-filter.ts'), de: () => import('./de/time-filter.ts') })
