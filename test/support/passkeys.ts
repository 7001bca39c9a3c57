import { createHash, createPrivateKey, sign } from 'node:crypto'
import {
  AuthenticatorEmulator,
  type AuthenticatorParameters,
  PasskeysCredentialsMemoryRepository,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  WebAuthnEmulator,
} from 'nid-webauthn-emulator'
import { expect } from 'vitest'
import { cookieOf } from './given.ts'
import { type Answer, HttpClient } from './http-client.ts'

/** The response of an authenticator as `toJSON()` gives it. */
// biome-ignore lint/suspicious/noExplicitAny: tests bend it in every way
export type Credential = any

const passkeyOrigin = 'http://gatehouse.test'

/** A browser with an authenticator of its own, by an independent implementation. */
export class PasskeyDevice {
  readonly origin: string
  readonly #repository = new PasskeysCredentialsMemoryRepository()
  readonly #emulator: WebAuthnEmulator

  constructor({ origin = passkeyOrigin, verifiesUser = true, ...parameters }: DeviceOptions = {}) {
    this.origin = origin
    const interaction = (user: unknown) => ({ user, options: { uv: verifiesUser, up: true } })
    this.#emulator = new WebAuthnEmulator(
      new AuthenticatorEmulator({
        credentialsRepository: this.#repository,
        userMakeCredentialInteraction: interaction,
        userGetAssertionInteraction: interaction,
        ...parameters,
      }),
    )
  }

  create(options: object, origin = this.origin): Credential {
    return this.#emulator.createJSON(origin, options as PublicKeyCredentialCreationOptionsJSON)
  }

  get(options: object, origin = this.origin, relatedOrigins: string[] = []): Credential {
    return this.#emulator.getJSON(origin, options as PublicKeyCredentialRequestOptionsJSON, relatedOrigins)
  }

  /** Signs whatever data again with the key of its credential. */
  sign(authenticatorData: Uint8Array, clientDataJson: Uint8Array): string {
    const [credential] = this.#repository.loadCredentials()
    if (!credential) throw new Error('The device has no credential')
    const key = createPrivateKey({ format: 'der', type: 'pkcs8', key: Buffer.from(credential.publicKeyCredentialSource.privateKey) })
    const clientDataHash = createHash('sha256').update(clientDataJson).digest()
    return sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', Buffer.concat([authenticatorData, clientDataHash]), key).toString(
      'base64url',
    )
  }
}

interface DeviceOptions extends Partial<AuthenticatorParameters> {
  origin?: string
  verifiesUser?: boolean
}

/** Registers a passkey for a signed-in user. */
export async function registerPasskey(user: HttpClient, device: PasskeyDevice, fields: { name?: string } = {}) {
  const registered = await tryToRegister(user, device, fields)
  expect(registered).toMatchObject({ status: 201 })
  return registered.body as { id: string; name: string; canSignIn: boolean; isSynced: boolean }
}

export async function tryToRegister(user: HttpClient, device: PasskeyDevice, fields: { name?: string } = {}): Promise<Answer> {
  const started = await user.post('/v1/me/passkeys/options')
  expect(started).toMatchObject({ status: 200 })
  const { flowToken, options } = started.body
  return user.post('/v1/me/passkeys', { flowToken, credential: device.create(options), ...fields })
}

/** Signs in with the passkey of a device, however it ends. */
export async function tryPasskey(anonymous: HttpClient, device: PasskeyDevice): Promise<Answer> {
  return anonymous.post('/v1/auth/passkey', await passkeyProof(anonymous, device))
}

/** What a sign-in with the passkey of a device sends. */
export async function passkeyProof(anonymous: HttpClient, device: PasskeyDevice) {
  const { body } = await anonymous.post('/v1/auth/passkey/options')
  return { flowToken: body.flowToken as string, credential: device.get(body.options) }
}

/** A caller with the session that a sign-in has started. */
export function signedInBy(anonymous: HttpClient, login: Answer): HttpClient {
  expect(login).toMatchObject({ status: 200 })
  return new HttpClient(anonymous.origin, { cookie: cookieOf(login), 'x-csrf-token': login.body.csrfToken })
}

/** Makes the passkeys of a user their second factor. */
export async function enrolPasskey(user: HttpClient, device: PasskeyDevice): Promise<Answer> {
  const started = await user.post('/v1/me/mfa/enable', { method: 'passkey' })
  expect(started).toMatchObject({ status: 200 })
  const { flowToken, options } = started.body
  const enrolled = await user.post('/v1/me/mfa/verify', { flowToken, credential: device.get(options) })
  expect(enrolled).toMatchObject({ status: 200 })
  return enrolled
}
