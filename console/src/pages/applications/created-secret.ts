/** The secret of an application that was registered a moment ago, for "Try it": in memory alone, and only until it was taken. */

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
