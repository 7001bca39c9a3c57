import { catalogue } from './language.ts'

export const doctorTexts = await catalogue({ en: () => import('./en/doctor.ts'), de: () => import('./de/doctor.ts') })
