import { catalogue } from './language.ts'

export const webhooksTexts = await catalogue({ en: () => import('./en/webhooks.ts'), de: () => import('./de/webhooks.ts') })
