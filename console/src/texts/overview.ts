import { catalogue } from './language.ts'

export const overviewTexts = await catalogue({ en: () => import('./en/overview.ts'), de: () => import('./de/overview.ts') })
