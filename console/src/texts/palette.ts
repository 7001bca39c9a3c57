import { catalogue } from './language.ts'

export const paletteTexts = await catalogue({ en: () => import('./en/palette.ts'), de: () => import('./de/palette.ts') })
