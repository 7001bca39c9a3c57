import { catalogue } from './language.ts'

export const resourcesTexts = await catalogue({ en: () => import('./en/resources.ts'), de: () => import('./de/resources.ts') })
