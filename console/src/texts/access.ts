import { catalogue } from './language.ts'

export const accessTexts = await catalogue({ en: () => import('./en/access.ts'), de: () => import('./de/access.ts') })
