import { catalogue } from './language.ts'

export const applicationTexts = await catalogue({ en: () => import('./en/application.ts'), de: () => import('./de/application.ts') })
