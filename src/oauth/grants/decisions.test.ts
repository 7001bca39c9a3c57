import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideCode, decideRefresh } from './decisions.ts'

const now = new Date('2026-01-01T12:00:00Z')
const oauthExtensions = new Set(['dpop', 'mtls'] as const)
const time = () => fc.integer({ min: -100_000, max: 100_000 }).map((offset) => new Date(now.getTime() + offset))
const maybe = (value: fc.Arbitrary<Date>) => fc.option(value, { nil: null })

/** The thumbprint of the key that something is bound to. */
const boundTo = () => fc.constantFrom(null, 'one key', 'another key')

const code = () =>
  fc.record({
    clientId: fc.constantFrom('cli_a', 'cli_b'),
    familyId: fc.constant('fam_1'),
    redirectUri: fc.constant('https://a.example/cb'),
    redirectUriSent: fc.boolean(),
    pkce: fc.constant(undefined),
    createdAt: time(),
    expiresAt: time(),
    usedAt: maybe(time()),
    consentedUntil: maybe(time()),
    jkt: boundTo(),
  })

const refreshToken = () =>
  fc.record({
    clientId: fc.constantFrom('cli_a', 'cli_b'),
    familyId: fc.constant('fam_1'),
    familyRevokedAt: maybe(time()),
    familyCreatedAt: time(),
    authenticatedAt: time(),
    federatedUntil: maybe(time()),
    consentedUntil: maybe(time()),
    jkt: boundTo(),
    scope: fc.constant(['openid']),
    createdAt: time(),
    expiresAt: time(),
    isLatest: fc.boolean(),
    storedResponse: fc.option(fc.record({ responseEncrypted: fc.constant('sealed'), rotatedAt: time() }), { nil: undefined }),
  })

describe('a presented code', () => {
  it('is redeemed only by its own client, unused, in time, with its redirect URI and its key', () => {
    const asked = {
      clientId: 'cli_a',
      redirectUri: 'https://a.example/cb',
      codeVerifier: undefined,
      challengeMethods: [],
      requirePkce: false,
      lifetimeSeconds: 50,
      jkt: 'one key',
      oauthExtensions,
    }
    fc.assert(
      fc.property(code(), (stored) => {
        const { kind } = decideCode(stored, asked, now)
        if (kind === 'redeem') expect([stored.clientId, stored.usedAt, stored.expiresAt > now]).toEqual(['cli_a', null, true])
        if (kind === 'redeem') expect(now.getTime() - stored.createdAt.getTime()).toBeLessThan(50_000)
        if (kind === 'redeem') expect([null, 'one key']).toContain(stored.jkt)
        if (kind === 'reuse') expect([stored.clientId, stored.usedAt !== null]).toEqual(['cli_a', true])
        if (stored.clientId !== 'cli_a') expect(kind).toBe('refuse')
      }),
    )
  })

  it('is burnt by a wrong verifier of its own client with its redirect URI, and by nothing else', () => {
    const pkce = { challenge: 'c'.repeat(43), method: 'plain' as const }
    const verifiers = fc.constantFrom(pkce.challenge, 'd'.repeat(43), 'short', undefined)
    fc.assert(
      fc.property(
        code(),
        verifiers,
        fc.constantFrom('https://a.example/cb', 'https://b.example/cb'),
        (stored, codeVerifier, redirectUri) => {
          const asked = {
            clientId: 'cli_a',
            redirectUri,
            codeVerifier,
            challengeMethods: ['plain' as const],
            requirePkce: false,
            lifetimeSeconds: 600,
            jkt: undefined,
            oauthExtensions,
          }
          if (decideCode({ ...stored, pkce }, asked, now).kind !== 'burn') return
          expect([stored.clientId, stored.usedAt, redirectUri]).toEqual(['cli_a', null, stored.redirectUri])
          expect([pkce.challenge, undefined]).not.toContain(codeVerifier)
        },
      ),
    )
  })

  const asked = {
    ...{
      clientId: 'cli_a',
      codeVerifier: undefined,
      challengeMethods: [],
      requirePkce: false,
      lifetimeSeconds: 600,
      jkt: undefined,
      oauthExtensions,
    },
  }

  it('that is unknown is refused', () => {
    expect(decideCode(undefined, { ...asked, redirectUri: undefined }, now).kind).toBe('refuse')
  })

  it('needs the redirect URI again exactly when the request had named it', () => {
    const stored = {
      clientId: 'cli_a',
      familyId: 'fam_1',
      redirectUri: 'https://a.example/cb',
      pkce: undefined,
      createdAt: now,
      expiresAt: new Date(now.getTime() + 1),
      usedAt: null,
      consentedUntil: null,
      jkt: null,
    }
    const decide = (redirectUriSent: boolean, redirectUri: string | undefined) =>
      decideCode({ ...stored, redirectUriSent }, { ...asked, redirectUri }, now).kind
    expect(decide(true, undefined)).toBe('refuse')
    expect(decide(false, undefined)).toBe('redeem')
    expect(decide(true, stored.redirectUri)).toBe('redeem')
    expect(decide(false, 'https://b.example/cb')).toBe('refuse')
  })
})

describe('a presented refresh token', () => {
  it('earns tokens only from its own client, in time, in a living family and with its key, and new ones as the latest', () => {
    fc.assert(
      fc.property(refreshToken(), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 100 }), (stored, graceSeconds, absolute) => {
        const { kind } = decideRefresh(
          stored,
          { clientId: 'cli_a', graceSeconds, absoluteLifetimeSeconds: absolute, jkt: 'one key', oauthExtensions },
          now,
        )
        if (kind !== 'refuse') expect([stored.clientId, stored.familyRevokedAt]).toEqual(['cli_a', null])
        if (kind !== 'refuse') expect([null, 'one key']).toContain(stored.jkt)
        if (kind === 'rotate') expect(stored.isLatest).toBe(true)
        if (kind === 'rotate' || kind === 'repeat') {
          expect(stored.expiresAt > now).toBe(true)
          if (stored.federatedUntil) expect(stored.federatedUntil > now).toBe(true)
          if (stored.consentedUntil) expect(stored.consentedUntil > now).toBe(true)
          expect(now.getTime() - stored.authenticatedAt.getTime()).toBeLessThan(absolute * 1_000)
        }
        if (kind === 'reuse' || kind === 'repeat') expect(stored.isLatest).toBe(false)
        if (kind === 'repeat') expect(now.getTime() - (stored.storedResponse?.rotatedAt.getTime() ?? 0)).toBeLessThan(graceSeconds * 1_000)
        if (graceSeconds === 0 && stored.storedResponse && stored.storedResponse.rotatedAt <= now) expect(kind).not.toBe('repeat')
      }),
    )
  })
})
