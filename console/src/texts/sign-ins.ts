import { catalogue } from './language.ts'

export const signInsTexts = await catalogue({ en: () => import('./en/sign-ins.ts'), de: () => import('./de/sign-ins.ts') })
