import { catalogue } from './language.ts'

export const invitationsTexts = await catalogue({ en: () => import('./en/invitations.ts'), de: () => import('./de/invitations.ts') })
