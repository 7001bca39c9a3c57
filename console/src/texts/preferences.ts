import { catalogue } from './language.ts'

export const preferencesTexts = await catalogue({ en: () => import('./en/preferences.ts'), de: () => import('./de/preferences.ts') })
