import { catalogue } from './language.ts'

export const connectionsTexts = await catalogue({ en: () => import('./en/connections.ts'), de: () => import('./de/connections.ts') })
