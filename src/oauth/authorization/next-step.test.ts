import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assuranceLevels, includesLevel } from '../../access/factors.ts'
import { decideNextStep, decideStepOfDevice, type Situation } from './next-step.ts'

const now = new Date('2026-01-01T12:00:00Z')
const time = () => fc.integer({ min: -1_000_000, max: 0 }).map((offset) => new Date(now.getTime() + offset))
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const situation = (): fc.Arbitrary<Situation> =>
  fc.record({
    request: fc.record({
      scope: fc.constantFrom(['openid'], ['openid', 'email'], [], ['openid', 'orders:read']),
      resources: optional(fc.constantFrom([{ id: 'rsv_1', scopes: ['orders:read'] }], [{ id: 'rsv_1', scopes: [] }])),
      prompt: fc
        .constantFrom([], ['none'] as const, ['login'] as const, ['consent'] as const, ['login', 'consent'] as const)
        .map((prompt) => [...prompt]),
      maxAgeSeconds: optional(fc.constantFrom(0, 60, 3_600)),
      expectedSubject: optional(fc.constantFrom('usr_1', 'usr_2')),
      claims: optional(fc.constantFrom({ idToken: ['name'], userinfo: [] }, { idToken: ['phone_number'], userinfo: ['name', 'email'] })),
      levels: optional(
        fc.record({ values: fc.array(fc.constantFrom(...assuranceLevels, 'urn:foreign'), { maxLength: 3 }), isEssential: fc.boolean() }),
      ),
    }),
    client: fc.record({
      organisationId: fc.constant('org_1'),
      organisationStatus: fc.constantFrom('trial' as const, 'active' as const, 'suspended' as const),
      requireConsent: fc.boolean(),
      origin: fc.constantFrom('admin', 'registration'),
      grantTypes: fc.constantFrom(['authorization_code'], ['authorization_code', 'refresh_token']),
    }),
    browserSession: optional(
      fc.record({
        userId: fc.constantFrom('usr_1', 'usr_2'),
        organisationId: fc.constantFrom('org_1', 'org_2'),
        startedAt: time(),
        signInProvenAt: fc.option(time()),
        awaitsMfaEnrolment: fc.boolean(),
      }),
    ),
    assurance: optional(
      fc
        .tuple(fc.constantFrom(...assuranceLevels), fc.constantFrom(...assuranceLevels))
        // The reachable level includes the present one.
        .map(([level, other]) => ({ level, reachable: includesLevel(other, level) ? other : level })),
    ),
    pendingSince: optional(time()),
    canProve: fc.boolean(),
    decision: optional(fc.constantFrom('allow' as const, 'cancel' as const)),
    consented: optional(
      fc.record({
        scopes: fc.constantFrom([], ['openid'], ['openid', 'email']),
        resources: fc.constantFrom(new Map(), new Map([['rsv_1', ['orders:read']]]), new Map([['rsv_1', []]])),
        claims: fc.constantFrom([], ['name'], ['name', 'phone_number']),
        allowsRefresh: fc.constantFrom(null, true, false),
      }),
    ),
    now: fc.constant(now),
  })

describe('the next step of an authorization request', () => {
  it('is a code only for a full session of the right user of the right organisation, with consent where it is needed', () => {
    fc.assert(
      fc.property(situation(), (given) => {
        if (decideNextStep(given).kind !== 'issue') return
        const { browserSession, client, request, consented, decision } = given
        expect(browserSession).toMatchObject({ organisationId: client.organisationId, awaitsMfaEnrolment: false })
        expect(client.organisationStatus).not.toBe('suspended')
        expect([undefined, browserSession?.userId]).toContain(request.expectedSubject)
        expect(decision).not.toBe('cancel')
        if (request.prompt.includes('consent')) expect(decision).toBe('allow')
        if (client.requireConsent && decision !== 'allow') {
          const atResource = request.resources?.flatMap(({ scopes }) => scopes) ?? []
          const own = request.scope.filter((scope) => !atResource.includes(scope))
          expect(own.every((scope) => consented?.scopes.includes(scope))).toBe(true)
          expect(request.resources?.every(({ id }) => consented?.resources.has(id)) ?? true).toBe(true)
          expect(atResource.every((scope) => consented?.resources.get('rsv_1')?.includes(scope))).toBe(true)
          const refreshes = client.origin !== 'admin' && client.grantTypes.includes('refresh_token')
          if (refreshes && !request.prompt.includes('none')) expect(consented?.allowsRefresh).not.toBe(false)
        }
        if (request.prompt.includes('login'))
          expect(browserSession?.signInProvenAt?.getTime()).toBeGreaterThanOrEqual(given.pendingSince?.getTime() ?? Number.NaN)
      }),
      { numRuns: 2_000 },
    )
  })

  it('grants a claim by its name only to a client that the user has allowed it', () => {
    fc.assert(
      fc.property(situation(), (given) => {
        const step = decideNextStep(given)
        if (step.kind !== 'issue') return
        const { client, request, consented, decision } = given
        const asked = request.claims ?? { idToken: [], userinfo: [] }
        const granted = step.claims ?? { idToken: [], userinfo: [] }
        expect(asked.idToken).toEqual(expect.arrayContaining(granted.idToken))
        expect(asked.userinfo).toEqual(expect.arrayContaining(granted.userinfo))
        const isAllowed = (name: string) =>
          decision === 'allow' || consented?.claims.includes(name) || (name === 'email' && consented?.scopes.includes('email'))
        expect([...granted.idToken, ...granted.userinfo].every(isAllowed)).toBe(true)
        // A page was possible, so what is missing has been asked for.
        if (client.requireConsent && !request.prompt.includes('none')) expect(granted).toEqual(asked)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is never a page with prompt=none', () => {
    fc.assert(
      fc.property(situation(), (given) => {
        const { kind } = decideNextStep({ ...given, request: { ...given.request, prompt: ['none'] } })
        expect(['issue', 'refuse']).toContain(kind)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is a sign-in once for a request, whatever that sign-in has proven', () => {
    fc.assert(
      fc.property(situation(), (given) => {
        const { browserSession, pendingSince } = given
        if (!browserSession || !pendingSince || browserSession.startedAt < pendingSince) return
        expect(decideNextStep(given).kind).not.toBe('sign-in')
      }),
      { numRuns: 2_000 },
    )
  })

  it('is a code only where the sign-in is proven to be as new as max_age asks', () => {
    fc.assert(
      fc.property(situation(), (given) => {
        const { maxAgeSeconds } = given.request
        if (decideNextStep(given).kind !== 'issue' || maxAgeSeconds === undefined) return
        const provenAt = given.browserSession?.signInProvenAt?.getTime() ?? Number.NaN
        const since = Math.min(now.getTime() - maxAgeSeconds * 1_000, given.pendingSince?.getTime() ?? Number.POSITIVE_INFINITY)
        expect(provenAt).toBeGreaterThanOrEqual(since)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is no code while a level is needed that the session does not have', () => {
    fc.assert(
      fc.property(situation(), (given) => {
        const { assurance, request } = given
        const step = decideNextStep(given)
        if (step.kind !== 'issue' || !request.levels || !assurance) return
        const met = request.levels.values.find((value) => value === step.level)
        if (met === undefined) expect([request.levels.isEssential, step.level]).toEqual([false, assurance.level])
        if (step.level) expect(includesLevel(assurance.level, step.level)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('asks for more only for the first level that can be reached, and only what the user can prove', () => {
    fc.assert(
      fc.property(situation(), (given) => {
        const { assurance, request } = given
        const step = decideNextStep(given)
        if (step.kind !== 'step-up') return
        if (!assurance || !request.levels) throw new Error('Nothing was asked for')
        expect(includesLevel(assurance.reachable, step.level)).toBe(true)
        expect(includesLevel(assurance.level, step.level)).toBe(false)
        const better = request.levels.values.slice(0, request.levels.values.indexOf(step.level))
        for (const level of assuranceLevels) if (better.includes(level)) expect(includesLevel(assurance.reachable, level)).toBe(false)
        // A user who has proven it is not asked again.
        expect(decideNextStep({ ...given, assurance: { ...assurance, level: step.level } }).kind).not.toBe('step-up')
      }),
      { numRuns: 2_000 },
    )
  })

  it('does not depend on a level where the request asks for none', () => {
    fc.assert(
      fc.property(situation(), (given) => {
        const asked = { ...given, request: { ...given.request, levels: undefined } }
        expect(decideNextStep(asked)).toEqual(decideNextStep({ ...asked, assurance: undefined }))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('what a device needs of the session', () => {
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000)
  const createdAt = at(-100)

  const young = { startedAt: at(-50), signInProvenAt: at(-50) }

  it.each([
    ['nothing, without a default', null, { startedAt: at(-9_000), signInProvenAt: at(-9_000) }, 'ask'],
    ['nothing, while it is young enough', 200, { startedAt: at(-150), signInProvenAt: at(-150) }, 'ask'],
    ['nothing, when it came after the device had asked', 0, young, 'ask'],
    ['nothing, when it was proven to us since', 0, { startedAt: at(-9_000), signInProvenAt: at(-50) }, 'ask'],
    ['a new one, when it is too old', 200, { startedAt: at(-300), signInProvenAt: at(-300) }, 'sign-in'],
    ['a new one, when it was never proven', 200, { startedAt: at(-300), signInProvenAt: null }, 'sign-in'],
    ['a proof, when the new one has proven nothing', 200, { startedAt: at(-50), signInProvenAt: null }, 'prove'],
    ['a proof, when the new one has proven an old one', 200, { startedAt: at(-50), signInProvenAt: at(-300) }, 'prove'],
  ] as const)('is %s', (_, defaultMaxAge, session, kind) => {
    expect(decideStepOfDevice({ defaultMaxAge, defaultAcrValues: null, createdAt }, session, undefined, now).kind).toBe(kind)
  })

  it.each([
    ['no level, where none is asked for', null, undefined, { kind: 'ask', level: undefined }],
    ['no level, where none can be', ['phr'], undefined, { kind: 'ask', level: undefined }],
    ['the level that it has', ['phr', 'aal2'], { level: 'phrh', reachable: 'phrh' }, { kind: 'ask', level: 'phr' }],
    ['the best that its user can prove', ['phr', 'aal2'], { level: 'aal1', reachable: 'aal2' }, { kind: 'step-up', level: 'aal2' }],
    ['no more than its user can prove', ['phr'], { level: 'aal1', reachable: 'aal2' }, { kind: 'ask', level: 'aal1' }],
  ] as const)('is %s', (_, defaultAcrValues, assurance, expected) => {
    expect(decideStepOfDevice({ defaultMaxAge: null, defaultAcrValues, createdAt }, young, assurance, now)).toEqual(expected)
  })

  it('is a new sign-in before a level', () => {
    const old = { startedAt: at(-300), signInProvenAt: at(-300) }
    const device = { defaultMaxAge: 200, defaultAcrValues: ['aal2'], createdAt }
    expect(decideStepOfDevice(device, old, { level: 'aal1', reachable: 'aal2' }, now)).toEqual({ kind: 'sign-in' })
  })
})
