import { catalogue } from './language.ts'

export const questionsTexts = await catalogue({ en: () => import('./en/questions.ts'), de: () => import('./de/questions.ts') })
