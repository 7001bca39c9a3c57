import { foreignForms } from './forms.ts'

/** Whether a password matches the hash of another system. A hash that would be refused matches nothing. */
export async function verifyForeignHash(hash: string, password: string): Promise<boolean> {
  for (const { pattern, whyRefused, verify } of foreignForms) {
    const parts = pattern.exec(hash)?.groups
    if (parts) return whyRefused(parts) === undefined && verify(password, parts, hash)
  }
  return false
}
