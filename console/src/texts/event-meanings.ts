import { catalogue } from './language.ts'

/** What each webhook event reports. The API says it in English, whatever the language of the console. */
export const eventMeanings = await catalogue({
  en: () => import('./en/event-meanings.ts'),
  de: () => import('./de/event-meanings.ts'),
})
