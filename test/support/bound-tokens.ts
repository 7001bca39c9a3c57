import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect } from 'vitest'
import { certificateVariables, handedOn, testCertificate } from './certificates.ts'
import { clientKey } from './client-keys.ts'
import { claimsOf, type TestApplication } from './oauth.ts'
import type { TestService } from './service.ts'

/** The environment of a service that binds tokens to keys and to certificates, besides other extensions. */
export const bindingVariables = (...extensions: string[]) => ({
  ...certificateVariables,
  OAUTH_EXTENSIONS: ['dpop', 'mtls', ...extensions].join(','),
})

/** A proof of a new key, for one request for tokens. */
export async function dpopProof({ clock, services }: TestService): Promise<string> {
  const key = await clientKey('ES256')
  const iat = Math.floor(clock.now().getTime() / 1_000)
  const proof = new SignJWT({ jti: randomUUID(), htm: 'POST', htu: `${services.issuer}/oauth2/token`, iat })
  return proof.setProtectedHeader({ typ: 'dpop+jwt', alg: key.alg, jwk: key.publicKey }).sign(key.privateKey)
}

/**
 * The access tokens of two requests that differ from others only in what their tokens are bound to, by that.
 *
 * @param newForm makes the form of a request for tokens, which may be used once
 */
export async function boundTokens(
  service: TestService,
  app: TestApplication,
  newForm: () => Promise<Record<string, string>>,
): Promise<Record<'a key' | 'a certificate', string>> {
  const tokenBy = async (headers: Record<string, string>) => {
    const { body } = await app.token(await newForm(), { ...app.authorization, ...headers })
    expect(claimsOf(body.access_token)).toHaveProperty('cnf')
    return body.access_token as string
  }
  const bindToCertificates = (certificateBoundAccessTokens: boolean) =>
    app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, { certificateBoundAccessTokens })

  const byKey = await tokenBy({ dpop: await dpopProof(service) })
  await bindToCertificates(true)
  const byCertificate = await tokenBy(handedOn(await testCertificate()))
  await bindToCertificates(false)
  return { 'a key': byKey, 'a certificate': byCertificate }
}
