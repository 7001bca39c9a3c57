import { catalogue } from './language.ts'

export const sessionEndedTexts = await catalogue({
  en: () => import('./en/session-ended.ts'),
  de: () => import('./de/session-ended.ts'),
})
