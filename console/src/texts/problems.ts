import { catalogue } from './language.ts'

/** The refusals of the API in words. */
export const problemTexts = await catalogue({ en: () => import('./en/problems.ts'), de: () => import('./de/problems.ts') })
