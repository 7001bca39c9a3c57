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
  readonly #syncs: boolean

  constructor({ origin = passkeyOrigin, verifiesUser = true, syncs = true, ...parameters }: DeviceOptions = {}) {
    this.origin = origin
    this.#syncs = syncs
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
    const created: Credential = this.#emulator.createJSON(origin, options as PublicKeyCredentialCreationOptionsJSON)
    if (this.#syncs) return created
    const attestation = Buffer.from(created.response.attestationObject, 'base64url')
    bindToDevice(attestation.subarray(attestation.indexOf(hashOf((options as { rp: { id: string } }).rp.id))))
    const response = { ...created.response, attestationObject: attestation.toString('base64url') }
    return { ...created, response, clientExtensionResults: { credProps: { rk: true } } }
  }

  get(options: object, origin = this.origin, relatedOrigins: string[] = []): Credential {
    const asserted: Credential = this.#emulator.getJSON(origin, options as PublicKeyCredentialRequestOptionsJSON, relatedOrigins)
    if (this.#syncs) return asserted
    const data = bindToDevice(Buffer.from(asserted.response.authenticatorData, 'base64url'))
    const signature = this.sign(data, Buffer.from(asserted.response.clientDataJSON, 'base64url'))
    return { ...asserted, response: { ...asserted.response, authenticatorData: data.toString('base64url'), signature } }
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
  /** Whether its passkeys may be copied to other devices. */
  syncs?: boolean
}

const hashOf = (text: string) => createHash('sha256').update(text).digest()

/** Takes the flags of backups out of authenticator data, which the emulator always sets. */
function bindToDevice(data: Buffer): Buffer {
  const flagsAt = 32
  data[flagsAt] = (data[flagsAt] ?? 0) & ~0x18
  return data
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
