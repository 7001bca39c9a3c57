import { catalogue } from './language.ts'

export const registrationTokensTexts = await catalogue({
  en: () => import('./en/registration-tokens.ts'),
  de: () => import('./de/registration-tokens.ts'),
})
