import { catalogue } from './language.ts'

export const durationTexts = await catalogue({ en: () => import('./en/duration.ts'), de: () => import('./de/duration.ts') })
