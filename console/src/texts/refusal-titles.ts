import { catalogue } from './language.ts'

/** What was refused, in one sentence, apart from what explains it: the overview shows it, too. */
export const refusalTitles = await catalogue({
  en: () => import('./en/refusal-titles.ts'),
  de: () => import('./de/refusal-titles.ts'),
})
