import { catalogue } from './language.ts'

/** The texts of the shell, and those that all pages share. */
export const shellTexts = await catalogue({ en: () => import('./en/shell.ts'), de: () => import('./de/shell.ts') })
