import { catalogue } from './language.ts'

export const actionTexts = await catalogue({ en: () => import('./en/actions.ts'), de: () => import('./de/actions.ts') })
