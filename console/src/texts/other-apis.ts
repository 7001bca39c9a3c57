import { catalogue } from './language.ts'

export const otherApisTexts = await catalogue({ en: () => import('./en/other-apis.ts'), de: () => import('./de/other-apis.ts') })
