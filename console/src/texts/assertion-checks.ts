import { catalogue } from './language.ts'

export const assertionChecksTexts = await catalogue({
  en: () => import('./en/assertion-checks.ts'),
  de: () => import('./de/assertion-checks.ts'),
})
