import { catalogue } from './language.ts'

export const directoriesTexts = await catalogue({ en: () => import('./en/directories.ts'), de: () => import('./de/directories.ts') })
