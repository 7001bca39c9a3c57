import type { MfaState } from '../mfa/schemas.ts'
import type { View } from './view.ts'

export type Factors = Pick<MfaState, 'enabled' | 'methods' | 'backupCodesLeft'>

/** The account warns from this number on: a user who loses the device then has to ask an administrator. */
const fewCodes = 2

export const areFew = (codesLeft: number) => codesLeft <= fewCodes

export function methodsInWords({ language, texts }: View, { methods }: Factors): string {
  const names = [...new Set(methods.map(({ method }) => texts.account.methods[method]))]
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(names)
}
