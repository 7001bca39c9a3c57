import type { Keyring } from '../platform/crypto/keyring.ts'

/** A request for a code, which its caller holds as a sealed token: nothing is stored for an address without an account. */
export interface EmailFlow {
  /** The address that was typed. */
  email: string
  /** When a code that was mailed for it expires. */
  expiresAt: Date
}

export const codeLifetimeSeconds = 10 * 60

const context = 'email code flow'
const flowPattern = /^(\d{1,15}) (.+)$/s

/** Seals a flow. Each call returns another token, whatever the address. */
export const sealFlow = (keyring: Keyring, { email, expiresAt }: EmailFlow): string =>
  keyring.encrypt(`${expiresAt.getTime()} ${email}`, context)

/** @returns undefined for a token that is not ours or has expired */
export function readFlow(keyring: Keyring, flowToken: string, now: Date): EmailFlow | undefined {
  const [, milliseconds, email] = flowPattern.exec(opened(keyring, flowToken)) ?? []
  if (milliseconds === undefined || email === undefined) return undefined
  const expiresAt = new Date(Number(milliseconds))
  return expiresAt > now ? { email, expiresAt } : undefined
}

function opened(keyring: Keyring, flowToken: string): string {
  try {
    return keyring.decrypt(flowToken, context)
  } catch {
    return ''
  }
}
