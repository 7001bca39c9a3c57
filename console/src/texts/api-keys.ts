import { catalogue } from './language.ts'

export const apiKeysTexts = await catalogue({ en: () => import('./en/api-keys.ts'), de: () => import('./de/api-keys.ts') })
