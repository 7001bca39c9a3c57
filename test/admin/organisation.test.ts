import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createConnection, linkedIdentity } from '../support/connections.ts'
import { unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const service = useService()
const withoutSms = useService({ smsSender: null })
const path = '/v1/admin/organisation'

/** The newest audit entry of an action, as the API shows it. */
async function newestEntry(admin: HttpClient, action: string) {
  return (await admin.audit({ action, limit: 1 }))[0]
}

async function entriesOf(admin: HttpClient, action: string): Promise<number> {
  return (await admin.audit({ action })).length
}

describe('GET /v1/admin/organisation', () => {
  it('shows every field of the organisation to any of its users', async () => {
    const { id, slug, name, owner } = await service().given.organisation()
    const member = await service().given.userWith(owner, [])

    expect(await member.get(path)).toMatchObject({ status: 200 })
    expect((await member.get(path)).body).toEqual({
      id,
      slug,
      name,
      email: `it@${slug}.test`,
      phone: null,
      website: null,
      ownerId: owner.id,
      allowedCallbackUrls: [],
      allowedLogoutUrls: [],
      allowedOrigins: [],
      status: 'active',
      sessionLifetime: 3600,
      sessionIdleTimeout: 1800,
      requireMfa: false,
      allowedMfaMethods: ['totp'],
      passwordPolicy: null,
      tokenLifetimePolicy: null,
      branding: null,
      signInPolicy: { password: 'allowed', passkeys: 'allowed', passkeySatisfiesMfa: true, emailCode: 'off' },
      clientDocumentPolicy: { mode: 'any', hosts: [], foreignRedirects: false },
      metadata: {},
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      deletedAt: null,
    })
  })
})

describe('PATCH /v1/admin/organisation', () => {
  const everything = {
    phone: '+44 20 7946 0000',
    website: 'https://globex.test/about',
    allowedCallbackUrls: ['https://app.globex.test/callback', 'http://localhost:3000/cb', 'com.globex.app:/callback'],
    allowedLogoutUrls: ['https://app.globex.test/bye'],
    allowedOrigins: ['https://app.globex.test', 'http://localhost:5173'],
    sessionLifetime: 28_800,
    sessionIdleTimeout: 900,
    requireMfa: true,
    allowedMfaMethods: ['totp', 'sms'],
    passwordPolicy: {
      minLength: 12,
      requireUppercase: true,
      requireNumber: true,
      requireSymbols: false,
      preventReuse: 5,
      maxAge: 90,
      refuseBreached: false,
      hint: 'long',
    },
    tokenLifetimePolicy: { accessToken: 600, refreshTokenLifetime: 86_400, idToken: 300 },
    branding: { logoUrl: 'https://globex.test/logo.svg', faviconUrl: null, primaryColor: '#0a7CFF', font: 'Inter' },
    metadata: { plan: 'gold', nested: { list: [1, 'two', null, true] }, ключ: 'значение', toJSON: 'text' },
  }

  it('changes every field, stores the policies as they were sent, and records the changes', async () => {
    const { owner } = await service().given.organisation()
    const changes = { name: `Globex ${unique()}`, email: `desk@${unique()}.test`, ...everything }

    const changed = await owner.patch(path, changes)

    expect(changed).toMatchObject({ status: 200 })
    expect(changed.body).toMatchObject(changes)
    expect(changed.body.passwordPolicy).toEqual(everything.passwordPolicy)
    expect((await owner.get(path)).body).toEqual(changed.body)
    const entry = await newestEntry(owner, 'organisation.updated')
    expect(Object.keys(entry.changes).sort()).toEqual(Object.keys(changes).sort())
    expect(entry).toMatchObject({ targetType: 'organisation', actorId: owner.id, changes: { sessionLifetime: { from: 3600, to: 28_800 } } })
  })

  it('leaves fields that are not sent, and clears those that are null', async () => {
    const { owner } = await service().given.organisation()
    const full = (await owner.patch(path, everything)).body

    const changed = await owner.patch(path, { phone: null, website: null, passwordPolicy: null, tokenLifetimePolicy: null, branding: null })

    expect(changed).toMatchObject({ status: 200 })
    expect(changed.body).toEqual({
      ...full,
      phone: null,
      website: null,
      passwordPolicy: null,
      tokenLifetimePolicy: null,
      branding: null,
      updatedAt: expect.any(String),
    })
  })

  it('ignores fields that cannot change', async () => {
    const { id, slug, owner } = await service().given.organisation()

    const changed = await owner.patch(path, { slug: 'other', id: 'org_x', status: 'suspended', ownerId: null, deletedAt: null })

    expect(changed).toMatchObject({ status: 200, body: { id, slug, status: 'active', ownerId: owner.id } })
  })

  it('refuses a name or an e-mail of another organisation with 409, in any letter case of the e-mail', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()

    expect(await owner.patch(path, { name: other.name })).toMatchObject({
      status: 409,
      body: { detail: 'Organisation name already in use' },
    })
    expect(await owner.patch(path, { email: `IT@${other.slug}.TEST` })).toMatchObject({
      status: 409,
      body: { detail: 'Organisation email already in use' },
    })
    expect(await entriesOf(owner, 'organisation.updated')).toBe(0)
  })

  it('requires the permission organisation:update', async () => {
    const { owner } = await service().given.organisation()
    const reader = await service().given.userWith(owner, ['organisation:read'])

    expect(await reader.patch(path, { phone: '1' })).toMatchObject({
      status: 403,
      body: { detail: 'Missing required permission: organisation:update' },
    })
  })

  const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)

  it.each<[what: string, field: string, value: unknown]>([
    ['an empty name', 'name', ''],
    ['an invalid e-mail', 'email', 'nobody'],
    ['a website that is no URL', 'website', 'globex'],
    ['a website that runs', 'website', 'javascript:alert(1)'],
    ['a callback over plain http', 'allowedCallbackUrls', ['http://globex.test/cb']],
    ['a callback with a fragment', 'allowedCallbackUrls', ['https://globex.test/cb#x']],
    ['a callback that runs', 'allowedCallbackUrls', ['javascript:alert(1)']],
    ['a callback that is no text', 'allowedCallbackUrls', [7]],
    ['one callback instead of a list', 'allowedCallbackUrls', 'https://globex.test/cb'],
    ['a logout URL without a scheme', 'allowedLogoutUrls', ['globex.test/bye']],
    ['an origin with a path', 'allowedOrigins', ['https://globex.test/app']],
    ['an origin with a slash', 'allowedOrigins', ['https://globex.test/']],
    ['an origin over plain http', 'allowedOrigins', ['http://globex.test']],
    ['every origin', 'allowedOrigins', ['*']],
    ['a session of less than a minute', 'sessionLifetime', 59],
    ['a session of more than 90 days', 'sessionLifetime', 90 * 86_400 + 1],
    ['a session of one and a half seconds', 'sessionLifetime', 61.5],
    ['a session in words', 'sessionLifetime', '3600'],
    ['an idle timeout of less than a minute', 'sessionIdleTimeout', 59],
    ['a lifetime of null', 'sessionLifetime', null],
    ['requireMfa in words', 'requireMfa', 'true'],
    ['an unknown MFA method', 'allowedMfaMethods', ['email']],
    ['a policy that is no object', 'passwordPolicy', [8]],
    ['a minimum below eight', 'passwordPolicy', { minLength: 7 }],
    ['a minimum above 128', 'passwordPolicy', { minLength: 129 }],
    ['a requirement in words', 'passwordPolicy', { requireSpecial: 'yes' }],
    ['a negative number of former passwords', 'passwordPolicy', { preventReuse: -1 }],
    ['a refusal of breached passwords in words', 'passwordPolicy', { refuseBreached: 'no' }],
    ['a maximum age of half a day', 'passwordPolicy', { maxAge: 0.5 }],
    ['an access token of no time', 'tokenLifetimePolicy', { accessToken: 0 }],
    ['an access token of a year', 'tokenLifetimePolicy', { accessTokenLifetime: 365 * 86_400 }],
    ['a refresh token of ten years', 'tokenLifetimePolicy', { refreshToken: 3_650 * 86_400 }],
    ['a lifetime in words', 'tokenLifetimePolicy', { idTokenLifetime: '1h' }],
    ['a logo over plain http', 'branding', { logoUrl: 'http://globex.test/logo.svg' }],
    ['a logo in the URL', 'branding', { logoUrl: 'data:image/svg+xml,<svg/>' }],
    ['a colour by name', 'branding', { primaryColor: 'red' }],
    ['a colour that closes the style', 'branding', { primaryColor: '#fff;}' }],
    ['metadata that is a list', 'metadata', []],
    ['metadata of null', 'metadata', null],
    ['metadata of more than 64 KiB', 'metadata', { text: 'x'.repeat(64 * 1024) }],
    ['metadata with a NUL', 'metadata', { text: 'a\u0000b' }],
    ['metadata with half a character', 'metadata', { '\ud83d': 1 }],
    ['metadata nested too deep', 'metadata', nested(100)],
    ['an unknown way to sign in', 'signInPolicy', { smartCard: 'allowed' }],
    ['a sign-in policy of null', 'signInPolicy', null],
    ['passkeys in words of our own', 'signInPolicy', { passkeys: 'yes' }],
    ['branding with a NUL', 'branding', { font: '\u0000' }],
  ])('refuses %s, naming the field, and changes nothing', async (_, field, value) => {
    const { owner } = await settled()

    const refused = await owner.patch(path, { phone: 'changed', [field]: value })

    expect(refused).toMatchObject({ status: 400, body: { detail: 'Invalid input' } })
    expect(refused.body.errors[0].path[0]).toBe(field)
    expect((await owner.get(path)).body.phone).toBeNull()
    expect(await entriesOf(owner, 'organisation.updated')).toBe(0)
  })

  // The table above changes nothing, so its rows share one organisation.
  let shared: ReturnType<ReturnType<typeof service>['given']['organisation']> | undefined
  const settled = () => {
    shared ??= service().given.organisation()
    return shared
  }

  it('refuses metadata that is nested too deeply, without a stack overflow', async () => {
    const { owner } = await settled()
    const depth = 50_000

    const refused = await owner.patch(path, `{"metadata":${'{"a":'.repeat(depth)}1${'}'.repeat(depth + 1)}`)

    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: ['metadata'] }] } })
  })

  it('accepts metadata of just under 64 KiB and texts that look like escapes', async () => {
    const { owner } = await service().given.organisation()
    const metadata = { text: 'x'.repeat(64 * 1024 - 100), escape: '\\u0000', emoji: '😀' }

    expect((await owner.patch(path, { metadata })).body.metadata).toEqual(metadata)
  })

  it('refuses to require MFA by no method, whichever of the two is sent first', async () => {
    const { owner } = await service().given.organisation()
    const refused = { status: 400, body: { errors: [{ path: ['allowedMfaMethods'] }] } }

    expect(await owner.patch(path, { requireMfa: true, allowedMfaMethods: [] })).toMatchObject(refused)
    expect(await owner.patch(path, { allowedMfaMethods: [] })).toMatchObject({ status: 200, body: { allowedMfaMethods: [] } })
    expect(await owner.patch(path, { requireMfa: true })).toMatchObject(refused)
  })

  it('merges the sign-in policy by member, and records what has changed', async () => {
    const { owner } = await service().given.organisation()
    const defaults = { password: 'allowed', passkeys: 'allowed', passkeySatisfiesMfa: true, emailCode: 'off' }

    expect((await owner.patch(path, { signInPolicy: { passkeySatisfiesMfa: false } })).body.signInPolicy).toEqual({
      ...defaults,
      passkeySatisfiesMfa: false,
    })
    const changed = await owner.patch(path, { signInPolicy: { passkeys: 'required' } })
    expect(changed.body.signInPolicy).toEqual({ ...defaults, passkeySatisfiesMfa: false, passkeys: 'required' })
    expect(await owner.patch(path, { signInPolicy: { passkeys: 'required' } })).toMatchObject({ status: 200 })
    expect(await owner.patch(path, { signInPolicy: {} })).toMatchObject({ status: 200 })

    expect(await entriesOf(owner, 'organisation.updated')).toBe(2)
  })

  it('refuses to require a second factor that no user can enrol, whichever setting comes first', async () => {
    const { owner, id } = await withoutSms().given.organisation()
    const refused = { status: 400, body: { errors: [{ path: ['allowedMfaMethods'], reason: 'no-mfa-method-possible' }] } }
    const [bySms, byPasskey] = [{ allowedMfaMethods: ['sms'] }, { allowedMfaMethods: ['passkey'] }]

    expect(await owner.patch(path, { requireMfa: true, ...bySms })).toMatchObject(refused)
    expect(await owner.post(`${path}/impact`, { requireMfa: true, ...bySms })).toMatchObject(refused)
    expect(await owner.patch(path, bySms)).toMatchObject({ status: 200 })
    expect(await owner.patch(path, { requireMfa: true })).toMatchObject(refused)
    expect(await owner.patch(path, { requireMfa: true, ...byPasskey })).toMatchObject({ status: 200 })
    expect(await owner.patch(path, bySms)).toMatchObject(refused)
    expect(await owner.patch(path, { signInPolicy: { passkeys: 'off' } })).toMatchObject(refused)

    // The gateway was there before.
    await withoutSms().database.tenant(id).updateTable('organisations').set(bySms).execute()
    expect(await owner.patch(path, { sessionLifetime: 7_200 })).toMatchObject({ status: 200 })
    expect(await owner.patch(path, { ...bySms, requireMfa: true })).toMatchObject({ status: 200 })
  })

  it('refuses to disable passwords where nothing else signs in, whichever of the two is sent first', async () => {
    const { owner } = await service().given.organisation()
    const refused = { status: 400, body: { errors: [{ path: ['signInPolicy', 'password'], reason: 'no-way-to-sign-in' }] } }

    expect(await owner.patch(path, { signInPolicy: { password: 'disabled', passkeys: 'off' } })).toMatchObject(refused)
    expect(await owner.patch(path, { signInPolicy: { password: 'disabled' } })).toMatchObject({ status: 200 })
    expect(await owner.patch(path, { signInPolicy: { passkeys: 'off' } })).toMatchObject(refused)
  })

  it('takes a connection that works for a way to sign in, and lets other settings change when it fails', async () => {
    const { owner, id } = await service().given.organisation()
    const user = await service().given.user(owner)
    const connection = await createConnection(owner, { isActive: false })
    const alone = { password: 'disabled', passkeys: 'off' }
    const refused = { status: 400, body: { errors: [{ path: ['signInPolicy', 'password'], reason: 'no-way-to-sign-in' }] } }
    expect(await owner.patch(path, { signInPolicy: alone })).toMatchObject(refused)

    expect(await owner.patch(`/v1/admin/connections/${connection.id}`, { isActive: true })).toMatchObject({ status: 200 })
    const impact = async () =>
      (await owner.post(`${path}/impact`, { signInPolicy: alone })).body.data.find(
        ({ effect }: { effect: string }) => effect === 'cannot-sign-in',
      )
    expect(await impact()).toMatchObject({ users: 1, sample: [{ id: user.id }] })
    await linkedIdentity(service(), { organisationId: id, userId: user.id, connectionId: connection.id })
    expect(await impact()).toMatchObject({ users: 0 })
    expect(await owner.patch(path, { signInPolicy: alone })).toMatchObject({ status: 200, body: { signInPolicy: alone } })

    const tenant = service().database.tenant(id)
    await tenant.updateTable('connections').set({ failingSince: tenant.now }).where('id', '=', connection.id).execute()
    expect(await owner.patch(path, { sessionLifetime: 7_200 })).toMatchObject({ status: 200 })
    expect(await owner.patch(path, { signInPolicy: { password: 'allowed' } })).toMatchObject({ status: 200 })
    expect(await owner.patch(path, { signInPolicy: alone })).toMatchObject(refused)
  })

  it('takes e-mail codes for a way to sign in, but not for the only one where MFA is required', async () => {
    const { owner } = await service().given.organisation()
    const alone = { password: 'disabled', passkeys: 'off', emailCode: 'allowed' }
    const refused = { status: 400, body: { errors: [{ path: ['signInPolicy', 'emailCode'], reason: 'email-codes-alone' }] } }

    expect(await owner.patch(path, { requireMfa: true, signInPolicy: alone })).toMatchObject(refused)
    expect((await owner.get(path)).body).toMatchObject({ requireMfa: false, signInPolicy: { password: 'allowed', emailCode: 'off' } })
    expect(await owner.patch(path, { signInPolicy: alone })).toMatchObject({ status: 200, body: { signInPolicy: alone } })
    expect(await owner.patch(path, { requireMfa: true })).toMatchObject(refused)
    expect(await owner.patch(path, { requireMfa: true, signInPolicy: { passkeys: 'allowed' } })).toMatchObject({ status: 200 })
    expect(await owner.patch(path, { signInPolicy: { passkeys: 'off' } })).toMatchObject(refused)
    expect(await owner.patch(path, { signInPolicy: { passkeys: 'off', password: 'allowed' } })).toMatchObject({ status: 200 })
  })

  it('refuses what is no value of the sign-in policy', async () => {
    const { owner } = await service().given.organisation()
    expect(await owner.patch(path, { signInPolicy: { emailCode: 'required' } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['signInPolicy', 'emailCode'] }] },
    })
    expect(await owner.patch(path, { signInPolicy: { emailCodes: 'allowed' } })).toMatchObject({ status: 400 })
  })

  it('applies the session lifetimes to new sessions only', async () => {
    const { owner } = await service().given.organisation()
    await owner.patch(path, { sessionLifetime: 300, sessionIdleTimeout: 120 })

    const later = await service().given.signIn(owner.email)
    const lengths = (await sessionsOf(owner.id)).map(({ id, lifetime, idleTimeout }) => [id === later.sessionId, lifetime, idleTimeout])
    expect(lengths).toEqual([
      [false, 3600, 1800],
      [true, 300, 120],
    ])

    service().clock.advance({ seconds: 200 })
    expect(await later.get('/v1/me/profile')).toMatchObject({ status: 401 })
    expect(await owner.get('/v1/me/profile')).toMatchObject({ status: 200 })
  })

  async function sessionsOf(userId: string) {
    const { rows } = await sql<{ id: string; lifetime: number; idleTimeout: number }>`
      select id, extract(epoch from expires_at - created_at)::int as lifetime, idle_timeout from sessions
      where user_id = ${userId} order by id`.execute(service().database.system())
    return rows
  }
})

describe('DELETE /v1/admin/organisation', () => {
  it('checks the permission first, and then that the caller is the owner', async () => {
    const { owner } = await service().given.organisation()
    const member = await service().given.userWith(owner, [])
    const deputy = await service().given.userWith(owner, ['organisation:delete'])

    expect(await member.delete(path)).toMatchObject({ status: 403, body: { detail: 'Missing required permission: organisation:delete' } })
    expect(await deputy.delete(path)).toMatchObject({
      status: 403,
      body: { detail: 'Only the organisation owner can delete the organisation' },
    })
    expect(await owner.get(path)).toMatchObject({ status: 200, body: { status: 'active' } })
    expect(await entriesOf(owner, 'organisation.deleted')).toBe(0)
  })

  it('refuses an API key, even one of the owner', async () => {
    const { owner } = await service().given.organisation()
    const permissions = ['organisation:delete', 'organisation:update']
    const { body } = await owner.post('/v1/admin/api-keys', { name: 'Key', permissions })
    const key = service().anonymous.with({ authorization: `Bearer ${body.key}` })
    expect(await key.get(path)).toMatchObject({ status: 200 })

    expect(await key.delete(path)).toMatchObject({
      status: 403,
      body: { detail: 'Only the organisation owner can delete the organisation' },
    })
    const user = await service().given.user(owner)
    expect(await key.post(`${path}/transfer-ownership`, { userId: user.id })).toMatchObject({ status: 403 })
    expect((await owner.get(path)).body).toMatchObject({ status: 'active', ownerId: owner.id })
  })

  it('cancels the organisation: from then on every route responds as if it did not exist', async () => {
    const { id, slug, owner } = await service().given.organisation()
    const member = await service().given.userWith(owner, ['users:read'])
    const other = await service().given.organisation()
    const { body: created } = await owner.post('/v1/admin/api-keys', { name: 'Key', permissions: ['users:read'] })
    const key = service().anonymous.with({ authorization: `Bearer ${created.key}` })
    expect(await key.get('/v1/admin/users')).toMatchObject({ status: 200 })

    expect(await owner.delete(path)).toMatchObject({ status: 204, body: null })

    for (const user of [owner, member]) {
      expect(await user.get(path)).toMatchObject({ status: 401, body: { detail: 'Authentication required' } })
      expect(await user.get('/v1/me/profile')).toMatchObject({ status: 401 })
      expect(await service().anonymous.post('/v1/auth/login', { email: user.email, password: user.password })).toMatchObject({
        status: 401,
        body: { detail: 'Invalid email or password' },
      })
    }
    expect(await key.get('/v1/admin/users')).toMatchObject({ status: 401 })
    expect(await other.owner.get('/v1/admin/users', { headers: { 'x-org-domain': slug } })).toMatchObject({
      status: 404,
      body: { detail: 'Organisation not found' },
    })
    expect(await service().operator.get(`/v1/system/organisations/${id}`)).toMatchObject({
      status: 200,
      body: { status: 'cancelled', deletedAt: expect.any(String) },
    })
    const live = await service().database.tenant(id).selectFrom('sessions').select('id').where('revokedAt', 'is', null).execute()
    expect(live).toEqual([])
    const entries = await service()
      .database.tenant(id)
      .selectFrom('auditLogs')
      .select('actorId')
      .where('action', '=', 'organisation.deleted')
      .execute()
    expect(entries).toEqual([{ actorId: owner.id }])
  })

  it('happens once when it is requested twice at the same moment', async () => {
    const { id, owner } = await service().given.organisation()

    const answers = await Promise.all([owner.delete(path), owner.delete(path)])

    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses[0]).toBe(204)
    expect([401, 404]).toContain(statuses[1])
    const scheduled = await service().database.tenant(id).selectFrom('organisationExports').select('organisationId').execute()
    expect(scheduled).toHaveLength(1)
  })
})

describe('POST /v1/admin/organisation/transfer-ownership', () => {
  const transfer = `${path}/transfer-ownership`

  it('makes another user the owner, with the owner role; the former owner keeps the role', async () => {
    const { owner } = await service().given.organisation()
    const heir = await service().given.userWith(owner, [])

    expect(await owner.post(transfer, { userId: heir.id })).toMatchObject({ status: 200, body: { ownerId: heir.id } })

    for (const { id } of [owner, heir]) {
      const { body } = await heir.get(`/v1/admin/users/${id}`)
      expect(body.roles).toContainEqual(expect.objectContaining({ slug: 'owner' }))
    }
    expect(await newestEntry(heir, 'organisation.ownership_transferred')).toMatchObject({
      actorId: owner.id,
      changes: { ownerId: { from: owner.id, to: heir.id } },
    })
    expect(await newestEntry(heir, 'role.assigned')).toMatchObject({ targetId: heir.id, actorId: owner.id })
    // The new owner is protected, the former no longer.
    expect(await owner.delete(`/v1/admin/users/${heir.id}`)).toMatchObject({ status: 400 })
    expect(await owner.delete(path)).toMatchObject({ status: 403 })
    expect(await heir.delete(`/v1/admin/users/${owner.id}`)).toMatchObject({ status: 204 })
  })

  it('is for the owner alone, whatever permissions other users have', async () => {
    const { owner } = await service().given.organisation()
    const deputy = await service().given.userWith(owner, ['organisation:update', 'organisation:delete', 'organisation:manage'])

    expect(await deputy.post(transfer, { userId: deputy.id })).toMatchObject({
      status: 403,
      body: { detail: 'Only the organisation owner can transfer the ownership' },
    })
    expect((await owner.get(path)).body.ownerId).toBe(owner.id)
  })

  it('refuses a blocked, a deleted and an unknown user, and one of another organisation', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const blocked = await service().given.user(owner)
    await owner.patch(`/v1/admin/users/${blocked.id}`, { blockedAt: new Date().toISOString() })
    const deleted = await service().given.user(owner)
    await owner.delete(`/v1/admin/users/${deleted.id}`)

    expect(await owner.post(transfer, { userId: blocked.id })).toMatchObject({ status: 400 })
    for (const userId of [deleted.id, other.owner.id, 'usr_unknown']) {
      expect(await owner.post(transfer, { userId })).toMatchObject({ status: 404, body: { detail: 'User not found' } })
    }
    expect(await owner.post(transfer, {})).toMatchObject({ status: 400, body: { errors: [{ path: ['userId'] }] } })
    expect((await owner.get(path)).body.ownerId).toBe(owner.id)
    expect(await entriesOf(owner, 'organisation.ownership_transferred')).toBe(0)
  })

  it('lets one of two transfers at the same moment win', async () => {
    const { owner } = await service().given.organisation()
    const heirs = [await service().given.user(owner), await service().given.user(owner)]

    const answers = await Promise.all(heirs.map(({ id }) => owner.post(transfer, { userId: id })))

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    expect(await entriesOf(owner, 'organisation.ownership_transferred')).toBe(1)
  })

  it('never leaves a blocked owner when the new one is blocked at the same moment', async () => {
    const { id, owner } = await service().given.organisation()
    const heir = await service().given.user(owner)

    const [transferred, blocked] = await Promise.all([
      owner.post(transfer, { userId: heir.id }),
      owner.patch(`/v1/admin/users/${heir.id}`, { blockedAt: new Date().toISOString() }),
    ])

    expect([transferred.status, blocked.status].sort()).toEqual([200, 400])
    const owning = await service()
      .database.tenant(id)
      .selectFrom('organisations')
      .innerJoin('users', 'users.id', 'organisations.ownerId')
      .select('users.blockedAt')
      .execute()
    expect(owning).toEqual([{ blockedAt: null }])
  })
})
