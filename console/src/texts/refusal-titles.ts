import { catalogue } from './language.ts'

/** A refusal in one sentence, separate from its explanation: the overview shows it, too. */
export const refusalTitles = await catalogue({
  en: () => import('./en/refusal-titles.ts'),
  de: () => import('./de/refusal-titles.ts'),
})
