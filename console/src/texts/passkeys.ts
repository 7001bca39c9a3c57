import { catalogue } from './language.ts'

export const passkeysTexts = await catalogue({ en: () => import('./en/passkeys.ts'), de: () => import('./de/passkeys.ts') })
