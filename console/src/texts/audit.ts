import { catalogue } from './language.ts'

export const auditTexts = await catalogue({ en: () => import('./en/audit.ts'), de: () => import('./de/audit.ts') })
