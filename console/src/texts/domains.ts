import { catalogue } from './language.ts'

export const domainsTexts = await catalogue({ en: () => import('./en/domains.ts'), de: () => import('./de/domains.ts') })
