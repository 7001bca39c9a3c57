import { catalogue } from './language.ts'

export const clientSecurityTexts = await catalogue({
  en: () => import('./en/client-security.ts'),
  de: () => import('./de/client-security.ts'),
})
