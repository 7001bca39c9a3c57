import { catalogue } from './language.ts'

export const proofTexts = await catalogue({ en: () => import('./en/proof.ts'), de: () => import('./de/proof.ts') })
