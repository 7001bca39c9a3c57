import { catalogue } from './language.ts'

export const teamsTexts = await catalogue({ en: () => import('./en/teams.ts'), de: () => import('./de/teams.ts') })
