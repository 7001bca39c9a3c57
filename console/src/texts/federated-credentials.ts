import { catalogue } from './language.ts'

export const federatedCredentialsTexts = await catalogue({
  en: () => import('./en/federated-credentials.ts'),
  de: () => import('./de/federated-credentials.ts'),
})
