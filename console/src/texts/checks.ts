import { catalogue } from './language.ts'

export const checksTexts = await catalogue({ en: () => import('./en/checks.ts'), de: () => import('./de/checks.ts') })
