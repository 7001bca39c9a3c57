import type { CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { HttpClient } from './http-client.ts'

interface Device {
  transport?: 'internal' | 'usb'
  verifies?: boolean
}

/** A device of passkeys that Chromium plays, plugged into one window. */
export class VirtualAuthenticator {
  readonly #session: CDPSession
  readonly #authenticatorId: string

  private constructor(session: CDPSession, authenticatorId: string) {
    this.#session = session
    this.#authenticatorId = authenticatorId
  }

  /** @param device by default one that is built in, and verifies its user */
  static async plugInto(page: Page, { transport = 'internal', verifies = true }: Device = {}): Promise<VirtualAuthenticator> {
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport,
        hasResidentKey: true,
        hasUserVerification: verifies,
        isUserVerified: verifies,
        automaticPresenceSimulation: true,
      },
    })
    return new VirtualAuthenticator(session, authenticatorId)
  }

  /** Whether its user touches it when it asks. */
  async isTouched(enabled: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: this.#authenticatorId, enabled })
  }

  /** Whether its user is recognised. */
  async verifies(isUserVerified: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setUserVerified', { authenticatorId: this.#authenticatorId, isUserVerified })
  }

  async credentials() {
    const { credentials } = await this.#session.send('WebAuthn.getCredentials', { authenticatorId: this.#authenticatorId })
    return credentials
  }
}

/** Registers a passkey of the window's device by the API. The window shows any page of the service. */
export async function registerInWindow(page: Page, user: HttpClient): Promise<{ id: string; canSignIn: boolean }> {
  const started = await user.post('/v1/me/passkeys/options')
  expect(started).toMatchObject({ status: 200 })
  const { flowToken, options } = started.body
  const credential = await page.evaluate(async (given) => {
    // biome-ignore lint/suspicious/noExplicitAny: the tests are compiled without the types of browsers
    const { PublicKeyCredential, navigator } = globalThis as any
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(given)
    return (await navigator.credentials.create({ publicKey })).toJSON()
  }, options)
  const registered = await user.post('/v1/me/passkeys', { flowToken, credential })
  expect(registered).toMatchObject({ status: 201 })
  return registered.body
}

/** What the window's device answers to the options of the API. */
export const assertInWindow = (page: Page, options: object): Promise<object> =>
  page.evaluate(async (given) => {
    // biome-ignore lint/suspicious/noExplicitAny: the tests are compiled without the types of browsers
    const { PublicKeyCredential, navigator } = globalThis as any
    return (await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(given) })).toJSON()
  }, options)
