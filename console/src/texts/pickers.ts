import { catalogue } from './language.ts'

export const pickersTexts = await catalogue({
  en: () => import('./en/pickers.ts'),
  de: () => import('./de/pickers.ts'),
})
