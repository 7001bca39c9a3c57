import { catalogue } from './language.ts'

/** The refusals that only changes get, in words. */
export const changeRefusalTexts = await catalogue({
  en: () => import('./en/change-refusals.ts'),
  de: () => import('./de/change-refusals.ts'),
})
