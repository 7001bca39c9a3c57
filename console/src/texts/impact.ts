import { catalogue } from './language.ts'

export const impactTexts = await catalogue({ en: () => import('./en/impact.ts'), de: () => import('./de/impact.ts') })
