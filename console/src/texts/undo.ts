import { catalogue } from './language.ts'

export const undoTexts = await catalogue({ en: () => import('./en/undo.ts'), de: () => import('./de/undo.ts') })
