/** The part of a Playwright page that this package uses: it needs no Playwright itself. */
export interface PageLike {
  context(): {
    addCookies(cookies: { name: string; value: string; url: string }[]): Promise<void>
    // biome-ignore lint/suspicious/noExplicitAny: Playwright's own types of commands would be a dependency
    newCDPSession(page: any): Promise<{ send(method: any, parameters?: any): Promise<any> }>
  }
}

/** The part of a Playwright page that a sign-in through the pages uses. */
export interface BrowsedPage extends PageLike {
  goto(address: string): Promise<unknown>
  url(): string
  locator(selector: string): { fill(text: string): Promise<void>; first(): { click(): Promise<void> } }
  waitForURL(isThere: (address: URL) => boolean): Promise<void>
}

interface SigningIn {
  /** Where Gatehouse is. */
  url: string
  email: string
  password: string
  /** The code of the user's authenticator app that is accepted next. */
  code(): Promise<string>
}

/**
 * Signs in as a user does: with the password, and with the code of an authenticator app where one is asked for. It begins where an
 * application has sent the browser, otherwise at the sign-in page.
 */
export async function signInThroughPages(page: BrowsedPage, { url, email, password, code }: SigningIn): Promise<void> {
  const isAt = (address: URL, path: string) => address.origin === new URL(url).origin && address.pathname === path
  const submit = () => page.locator('button[type=submit]').first().click()
  const here = URL.canParse(page.url()) ? new URL(page.url()) : undefined
  if (!(here && isAt(here, '/login'))) await page.goto(`${url}/login`)
  await page.locator('#email').fill(email)
  await page.locator('#password').fill(password)
  await submit()
  await page.waitForURL((address) => !isAt(address, '/login'))
  if (!isAt(new URL(page.url()), '/login/mfa')) return
  await page.locator('#code').fill(await code())
  await submit()
  await page.waitForURL((address) => !isAt(address, '/login/mfa'))
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
