/** The secret of a newly registered application for "Try it": in memory only, and only until it is taken. */

let created: { clientId: string; secret: string } | undefined

export function passOnSecret(clientId: string, secret: string): void {
  created = { clientId, secret }
}

/**
 * @returns the secret that the wizard has passed on for the application; it can be taken once
 * @public
 */
export function takeSecret(clientId: string): string | undefined {
  const secret = created?.clientId === clientId ? created.secret : undefined
  created = undefined
  return secret
}
