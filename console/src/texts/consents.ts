import { catalogue } from './language.ts'

export const consentsTexts = await catalogue({
  en: () => import('./en/consents.ts'),
  de: () => import('./de/consents.ts'),
})
