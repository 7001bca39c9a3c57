/** The part of a Playwright page that this package uses: it needs no Playwright itself. */
export interface PageLike {
  context(): {
    addCookies(cookies: { name: string; value: string; url: string }[]): Promise<void>
    // biome-ignore lint/suspicious/noExplicitAny: Playwright's own types of commands would be a dependency
    newCDPSession(page: any): Promise<{ send(method: any, parameters?: any): Promise<any> }>
  }
}

/** A passkey authenticator that Chromium plays in one page. */
export interface VirtualAuthenticator {
  /** Whether its user is recognised, by fingerprint or PIN. */
  verifies(isVerified: boolean): Promise<void>
  /** Whether its user touches it when it asks. */
  isTouched(isTouched: boolean): Promise<void>
  /** The passkeys on it. */
  credentials(): Promise<{ credentialId: string }[]>
  remove(): Promise<void>
}

/** Chromium only: other browsers play no authenticators. */
export async function plugAuthenticatorInto(page: PageLike): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    verifies: (isUserVerified) => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    isTouched: (enabled) => session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    remove: () => session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  }
}
