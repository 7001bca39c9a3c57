import { catalogue } from './language.ts'

export const clientSettingsTexts = await catalogue({
  en: () => import('./en/client-settings.ts'),
  de: () => import('./de/client-settings.ts'),
})
