import { createPrivateKey, sign } from 'node:crypto'
import type * as Library from 'openid-client'
import { textOf } from './presets.ts'
import type { UpstreamSettings } from './settings.ts'

const appleSecretLifetimeSeconds = 5 * 60

/** Our client authentication at the token endpoint, with one of the connection's secrets. */
export function clientAuthentication(
  { ClientSecretBasic, ClientSecretPost, PrivateKeyJwt }: typeof Library,
  { provider, configuration }: UpstreamSettings,
  secret: string,
  now: Date,
): Library.ClientAuth {
  if (provider === 'apple') return ClientSecretPost(appleSecret(configuration, secret, now))
  if (configuration.clientAuthentication === 'private_key_jwt') return signedByKey(PrivateKeyJwt, JSON.parse(secret))
  return configuration.clientAuthentication === 'client_secret_basic' ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}

/** RFC 7523 §2.2. The library awaits the result, though its types do not say so. */
function signedByKey(privateKeyJwt: typeof Library.PrivateKeyJwt, { kid, ...jwk }: { kid: string }): Library.ClientAuth {
  return async (...request) => {
    const key = await crypto.subtle.importKey('jwk', jwk, { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, false, ['sign'])
    return privateKeyJwt({ key, kid })(...request)
  }
}

/** As a client secret, Apple expects a token that is signed with a developer account's key: one per request, so none is stored. */
function appleSecret({ clientId, teamId, keyId }: UpstreamSettings['configuration'], privateKey: string, now: Date): string {
  const issuedAt = Math.floor(now.getTime() / 1_000)
  const header = { alg: 'ES256', kid: textOf(keyId), typ: 'JWT' }
  const claims = {
    iss: teamId,
    iat: issuedAt,
    exp: issuedAt + appleSecretLifetimeSeconds,
    aud: 'https://appleid.apple.com',
    sub: clientId,
  }
  const content = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = sign('sha256', Buffer.from(content), { key: createPrivateKey(privateKey), dsaEncoding: 'ieee-p1363' })
  return `${content}.${signature.toString('base64url')}`
}
