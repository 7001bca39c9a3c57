import { catalogue } from './language.ts'

export const clientUsersTexts = await catalogue({
  en: () => import('./en/client-users.ts'),
  de: () => import('./de/client-users.ts'),
})
