import { catalogue } from './language.ts'

export const setupLinksTexts = await catalogue({ en: () => import('./en/setup-links.ts'), de: () => import('./de/setup-links.ts') })
