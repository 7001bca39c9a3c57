/** A client that is revoked, an API that is switched off, and a consent that its user limits, while something is being made for it. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/http-client.ts'
import { decideConsent, givenApplication, pkce } from '../support/oauth.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'resource_indicators' } })
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }
const grant = { grant_type: 'client_credentials' }

/** Whether a statement waits to lock a row of the table, which a change of something else in it holds. */
async function isAwaited(table: string): Promise<boolean> {
  const { rows } = await service().engine.execute({
    sql: `select from pg_locks where locktype = 'tuple' and relation = $1::regclass
      and database = (select oid from pg_database where datname = current_database())`,
    parameters: [table],
  })
  return rows.length > 0
}

/** Ends access to a row while another transaction holds it. @returns the response to what is asked for before the row is released */
async function askWhileItWaits(
  organisationId: string,
  table: 'clients' | 'resource_servers',
  id: string,
  end: () => Promise<Answer>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  let ended: Promise<Answer> | undefined
  const answer = await service().database.transaction(organisationId, async (tenant) => {
    await sql`select from ${sql.table(table)} where id = ${id} for no key update`.execute(tenant)
    ended = end()
    await expect.poll(() => isAwaited(table), { interval: 5 }).toBe(true)
    service().clock.advance({ seconds: 5 })
    return ask()
  })
  expect([200, 204]).toContain((await ended)?.status)
  service().clock.advance({ seconds: 5 })
  return answer
}

describe('what is made while a client is being revoked', () => {
  it('ends with the revocation although that had begun before, and stays ended when the client is activated', async () => {
    const app = await givenApplication(service())
    const { owner, id } = app.organisation
    const { code, verifier } = await app.code({ scope: 'openid offline_access' })
    const revoke = () => owner.post(`/v1/admin/clients/${app.id}/revoke`)

    const redeemed = await askWhileItWaits(id, 'clients', app.id, revoke, () => app.redeem(code, verifier))
    expect(redeemed.status).toBe(200)
    expect(await owner.post(`/v1/admin/clients/${app.id}/activate`)).toMatchObject({ status: 200 })

    expect(await app.refresh(redeemed.body.refresh_token)).toMatchObject(invalidGrant)
    expect((await app.introspect(redeemed.body.access_token)).body).toEqual({ active: false })
  })

  it('stays ended when a request had found the client active and has written after the revocation', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const tokens = await app.signIn({ scope: 'openid offline_access' })
    const { code, verifier } = await app.code({ scope: 'openid offline_access' })
    await owner.post(`/v1/admin/clients/${app.id}/revoke`)
    service().clock.advance({ seconds: 1 })
    const system = service().database.system()
    await sql`update token_families set created_at = ${system.now} where client_id = ${app.id}`.execute(system)
    await sql`update authorization_codes set created_at = ${system.now} where client_id = ${app.id}`.execute(system)
    service().clock.advance({ seconds: 1 })
    expect(await owner.post(`/v1/admin/clients/${app.id}/activate`)).toMatchObject({ status: 200 })

    expect(await app.refresh(tokens.refresh_token)).toMatchObject(invalidGrant)
    expect(await app.redeem(code, verifier)).toMatchObject(invalidGrant)
    service().clock.advance({ seconds: 1 })
    const later = await app.signIn({ scope: 'openid offline_access' })
    expect(await app.refresh(later.refresh_token)).toMatchObject({ status: 200 })
  })
})

describe('a token that is issued while its API is being switched off', () => {
  it('stays ended when the API is switched on again', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const orders = await resourceServer(owner)
    const app = await givenApplication(service(), {
      organisation,
      grantTypes: ['client_credentials'],
      redirectUris: [],
      scopes: ['orders:read'],
      resourceServerIds: [orders.id],
    })
    const path = `/v1/admin/resource-servers/${orders.id}`
    const ask = () => app.token({ ...grant, resource: orders.identifier })

    const issued = await askWhileItWaits(organisation.id, 'resource_servers', orders.id, () => owner.patch(path, { isActive: false }), ask)
    expect(issued.status).toBe(200)
    expect(await owner.patch(path, { isActive: true })).toMatchObject({ status: 200 })

    expect((await app.introspect(issued.body.access_token)).body).toEqual({ active: false })
    service().clock.advance({ seconds: 1 })
    expect((await app.introspect((await ask()).body.access_token)).body).toMatchObject({ active: true })
  })
})

describe('a code that is being issued while its user limits the consent', () => {
  it('ends with it', async () => {
    const app = await givenApplication(service(), { requireConsent: true, scopes: ['orders:read'] })
    const { owner, id } = app.organisation
    const orders = await resourceServer(owner)
    await owner.patch(`/v1/admin/clients/${app.id}`, { resourceServerIds: [orders.id] })
    const asked = { scope: 'openid offline_access orders:read', resource: orders.identifier }
    const query = { code_challenge: pkce().challenge, code_challenge_method: 'S256', ...asked }
    const location = (await app.authorize(query)).headers.get('location') ?? ''
    await decideConsent(owner, new URL(location, 'http://x').searchParams.get('request') ?? '', 'allow')
    const until = new Date(service().clock.now().getTime() + 10 * 60_000)

    for (const table of ['consents', 'resource_consents'] as const) {
      let issued: ReturnType<typeof app.code> | undefined
      let isIssued = false
      await service().database.transaction(id, async (tenant) => {
        // As the decision does: both rows, of which one gets the end.
        await sql`update consents set granted_at = granted_at, expires_at = ${table === 'consents' ? until : null}`.execute(tenant)
        await sql`update resource_consents set expires_at = ${table === 'consents' ? null : until}`.execute(tenant)
        issued = app.code({ ...asked, prompt: 'none' }).finally(() => {
          isIssued = true
        })
        await expect.poll(async () => isIssued || (await isAwaited('consents')), { interval: 5 }).toBe(true)
      })
      const { code, verifier } = await (issued as ReturnType<typeof app.code>)
      const { body } = await app.redeem(code, verifier)
      expect((await app.introspect(body.refresh_token)).body).toMatchObject({ exp: Math.floor(until.getTime() / 1_000) })
    }
  })
})
