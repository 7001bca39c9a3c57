import { catalogue } from './language.ts'

export const organisationTexts = await catalogue({ en: () => import('./en/organisation.ts'), de: () => import('./de/organisation.ts') })
