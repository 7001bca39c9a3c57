import { catalogue } from './language.ts'

/** The refusals that reads get, too, in words. */
export const readRefusalTexts = await catalogue({
  en: () => import('./en/read-refusals.ts'),
  de: () => import('./de/read-refusals.ts'),
})
