import { catalogue } from './language.ts'

/** The texts of what surrounds every page, and of what all pages share. */
export const shellTexts = await catalogue({ en: () => import('./en/shell.ts'), de: () => import('./de/shell.ts') })
