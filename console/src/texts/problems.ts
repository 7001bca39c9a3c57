import { catalogue } from './language.ts'

/** What the API refuses, in words. */
export const problemTexts = await catalogue({ en: () => import('./en/problems.ts'), de: () => import('./de/problems.ts') })
