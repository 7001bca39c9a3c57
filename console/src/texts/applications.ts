import { catalogue } from './language.ts'

export const applicationsTexts = await catalogue({ en: () => import('./en/applications.ts'), de: () => import('./de/applications.ts') })
