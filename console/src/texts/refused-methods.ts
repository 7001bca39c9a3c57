import { catalogue } from './language.ts'

export const refusedMethodsTexts = await catalogue({
  en: () => import('./en/refused-methods.ts'),
  de: () => import('./de/refused-methods.ts'),
})
