import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry, Family, Session } from './queries.ts'
import { type Records, stepsOf } from './steps.ts'

const begunAt = new Date('2026-01-01T12:00:00Z')
const time = () => fc.integer({ min: 0, max: 10_000 }).map((seconds) => new Date(begunAt.getTime() + seconds * 1_000))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const sessionId = fc.constantFrom('ses_1', 'ses_2', 'ses_3')
const clientId = fc.constantFrom('cli_1', 'cli_2')

const entry = (): fc.Arbitrary<Entry> =>
  fc
    .record({
      action: fc.constantFrom('login.failed', 'login.success', 'oauth2.consent.granted', 'oauth2.token.revoked', 'auth.logout'),
      sessionId,
      clientId,
      waiting: maybe(clientId),
      createdAt: time(),
    })
    .map(({ action, waiting, createdAt, ...ids }) => {
      const targetType = action.startsWith('oauth2') ? 'client' : action === 'login.failed' ? 'user' : 'session'
      const targetId = targetType === 'client' ? ids.clientId : targetType === 'user' ? 'usr_1' : ids.sessionId
      const named = { actorId: 'usr_1', actorName: null, actorEmail: null, targetName: null, targetEmail: null }
      const isAttempt = action.startsWith('login')
      return {
        ...named,
        id: `aud_${action}`,
        action,
        targetType,
        targetId,
        createdAt,
        metadata: isAttempt && waiting ? { clientId: waiting } : null,
      }
    })

const session = (): fc.Arbitrary<Session> =>
  fc.record({
    id: sessionId,
    provenFactors: fc.array(
      fc.record({ factor: fc.constantFrom('password', 'totp', 'federated'), provenAt: time().map((at) => at.toISOString()) }),
    ),
    connectionId: maybe(fc.constant('con_1')),
    idleTimeout: fc.integer({ min: 60, max: 5_000 }),
    lastActivityAt: time(),
    expiresAt: time(),
    createdAt: time(),
    revokedAt: maybe(time()),
  })

const family = (): fc.Arbitrary<Family> =>
  fc.record({
    clientId,
    sessionId,
    scope: fc.constant(['openid']),
    createdAt: time(),
    refreshedAt: maybe(time()),
    revokedAt: maybe(time()),
  })

const records = (): fc.Arbitrary<Records> =>
  fc.record({
    begunAt: fc.constant(begunAt),
    entries: fc.array(entry(), { maxLength: 6 }),
    sessions: fc.uniqueArray(session(), { selector: ({ id }) => id, maxLength: 3 }),
    challenges: fc.constant([]),
    codes: fc.constant([]),
    families: fc.array(family(), { maxLength: 3 }),
    refusals: fc.constant([]),
    now: time(),
  })

describe('the steps of a sign-in', () => {
  it('are in the order of time, and begin once', () => {
    fc.assert(
      fc.property(records(), (stored) => {
        const steps = stepsOf(stored)
        const times = steps.map(({ at }) => at.getTime())
        expect(times).toEqual(times.toSorted((one, other) => one - other))
        expect(steps.filter(({ kind }) => kind === 'begun')).toHaveLength(1)
        expect(steps[0]?.kind).toBe('begun')
      }),
    )
  })

  it('say for which application it began only where an attempt says so', () => {
    fc.assert(
      fc.property(records(), (stored) => {
        const waiting = stored.entries.flatMap(({ metadata }) => (metadata?.clientId ? [metadata.clientId] : []))
        const [begun] = stepsOf(stored)
        if (waiting.length === 0) expect(begun?.clientId).toBeNull()
        else expect(waiting).toContain(begun?.clientId)
      }),
    )
  })

  it('end each session once at most, and none that lasts', () => {
    fc.assert(
      fc.property(records(), (stored) => {
        const steps = stepsOf({ ...stored, entries: stored.entries.filter(({ action }) => action !== 'auth.logout') })
        for (const { id, revokedAt, expiresAt, lastActivityAt, idleTimeout } of stored.sessions) {
          const idleAt = lastActivityAt.getTime() + idleTimeout * 1_000
          const lasts = revokedAt === null && expiresAt > stored.now && idleAt > stored.now.getTime()
          const ends = steps.filter(({ kind, sessionId }) => sessionId === id && /^session_(ended|expired)$/.test(kind))
          if (lasts) expect(ends).toEqual([])
          expect(ends.length).toBeLessThanOrEqual(1)
        }
      }),
    )
  })
})
