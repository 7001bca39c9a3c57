/** What `bench/scale.ts` measures: each operation in an organisation of the usual size, or in the largest one. */
import { sql } from 'kysely'
import { permissionSlugs } from '../../src/access/permission-slugs.ts'
import { readConfig } from '../../src/app/config.ts'
import { doctorContext } from '../../src/app/doctor-context.ts'
import { checks } from '../../src/doctor/checks.ts'
import { examine } from '../../src/doctor/examine.ts'
import { daysBefore, secondsAfter } from '../../src/platform/clock.ts'
import { createKeyring } from '../../src/platform/crypto/keyring.ts'
import { schemaState } from '../../src/platform/database/migrate.ts'
import { foldCounts } from '../../src/platform/database/stored-counts.ts'
import { removeEndedSessions } from '../../src/sessions/remove-ended-sessions.ts'
import { countRecords } from '../../src/statistics/queries.ts'
import { createRecentCounts } from '../../src/statistics/recent-counts.ts'
import { exportOrganisation } from '../../src/system/export-organisation.ts'
import { purgeOrganisations } from '../../src/system/purge-organisations.ts'
import { removeExpiredTokens } from '../../src/tokens/remove-expired-tokens.ts'
import { claimDueDeliveries } from '../../src/webhooks/delivery/claim.ts'
import { claimPolicy, slotPolicy } from '../../src/webhooks/delivery/policies.ts'
import { removeOldDeliveries } from '../../src/webhooks/delivery/remove-old-deliveries.ts'
import { succeeded } from './oauth-operations.ts'
import { type ScaleDatabase, systemApiKey } from './scale-database.ts'

/** Work that is measured, as many operations at once as make a round. */
export interface Round {
  count: number
  work(): Promise<unknown>
}

export interface ScaleOperation {
  /** Whether this process does the work, as the service's worker or command would; else the service does, asked over HTTP. */
  isOurs?: boolean
  /** Whether threads besides the service's own are left out: those that hash passwords. */
  isOfOneThread?: boolean
  prepare(of: ScaleDatabase): Promise<Round>
}

/** The operation by HTTP, `count` times, a few at a time. */
const asked = (count: number, work: (of: ScaleDatabase, index: number) => Promise<unknown>): ScaleOperation => ({
  prepare: async (of) => ({ count, work: () => aFewAtATime(count, (index) => work(of, index)) }),
})

async function aFewAtATime(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (next < count) await work(next++)
    }),
  )
}

const at = <T>(items: readonly T[], index: number) => items[index % items.length] as T
/** One of the usual organisations, another one each time. */
const usual = ({ usual }: ScaleDatabase, index: number) => at(usual, index)

/** Asks for a page as an administrator. */
const pageOf = (count: number, which: 'usual' | 'largest', path: string | ((of: ScaleDatabase, index: number) => string)) =>
  asked(count, async (of, index) => {
    const { party, headers } = which === 'usual' ? usual(of, index) : of.largest
    succeeded(await party.get(typeof path === 'string' ? path : path(of, index), headers))
  })

const impactOf = (count: number, which: 'usual' | 'largest') =>
  asked(count, async (of, index) => {
    const { party, headers, memberRoleId } = which === 'usual' ? usual(of, index) : of.largest
    succeeded(await party.postJson(`/v1/admin/roles/${memberRoleId}/impact`, { permissionIds: [of.permissionId] }, headers))
  })

const ours = (
  count: number,
  work: (of: ScaleDatabase, index: number) => Promise<unknown>,
  before?: (of: ScaleDatabase) => Promise<unknown>,
): ScaleOperation => ({
  isOurs: true,
  async prepare(of) {
    await before?.(of)
    return {
      count,
      async work() {
        for (let index = 0; index < count; index++) await work(of, index)
      },
    }
  },
})

const audit = (which: 'usual' | 'largest', query: string | ((of: ScaleDatabase) => string)) =>
  pageOf(60, which, (of) => `/v1/admin/audit-logs?limit=50${typeof query === 'string' ? query : query(of)}`)

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

/** Rows of each kind that a sweep removes: few enough that the smaller database has some in each round. */
const expired = 50

export const scaleOperations: Record<string, ScaleOperation> = {
  'sign-in by password, without the hash': {
    ...asked(20, async ({ users, visitor }, index) => {
      succeeded(await visitor.postJson('/v1/auth/login', { email: at(users, index), password: 'correct horse battery' }))
    }),
    isOfOneThread: true,
  },
  'request with a session': pageOf(200, 'usual', '/v1/me/profile'),
  'code flow': asked(100, (of, index) => usual(of, index).party.codeFlow('/oauth2/authorize', '/oauth2/token')),
  refresh: {
    async prepare(of) {
      const chains = await Promise.all(of.usual.map(({ party }) => party.codeFlow('/oauth2/authorize', '/oauth2/token')))
      const each = Math.ceil(150 / chains.length)
      return {
        count: each * chains.length,
        work: () =>
          aFewAtATime(chains.length, async (index) => {
            let current = at(chains, index).refresh_token ?? ''
            for (let left = each; left > 0; left--) {
              const next = await usual(of, index).party.token('/oauth2/token', { grant_type: 'refresh_token', refresh_token: current })
              current = next.refresh_token ?? ''
            }
          }),
      }
    },
  },
  introspection: {
    async prepare(of) {
      const tokens = await Promise.all(of.usual.map(({ party }) => party.codeFlow('/oauth2/authorize', '/oauth2/token')))
      return asked(150, async (of, index) => {
        const { text } = await usual(of, index).party.postForm('/oauth2/introspect', { token: at(tokens, index).access_token })
        if (!text.includes('"active":true')) throw new Error(`introspection: ${text}`)
      }).prepare(of)
    },
  },
  'list of users': pageOf(60, 'usual', '/v1/admin/users?limit=50'),
  'list of users, largest organisation': pageOf(60, 'largest', '/v1/admin/users?limit=50'),
  'its thousandth page, or its last but one': pageOf(60, 'largest', ({ deepCursor }) => `/v1/admin/users?limit=50&cursor=${deepCursor}`),
  'its users by name, thousandth page': pageOf(
    60,
    'largest',
    ({ deepNameCursor }) => `/v1/admin/users?limit=50&sort=name&cursor=${deepNameCursor}`,
  ),
  'its users whose name begins with a text': pageOf(60, 'largest', '/v1/admin/users?limit=50&search=first%201'),
  'search for an address': pageOf(60, 'largest', '/v1/admin/search?q=owner@org0.test'),
  'search for a beginning': pageOf(60, 'largest', '/v1/admin/search?q=last%201'),
  'search for a part of a name': pageOf(5, 'largest', '/v1/admin/search?q=rst%201'),
  'search for a text that does not occur': pageOf(3, 'largest', '/v1/admin/search?q=nowhere'),
  'audit log': audit('usual', ''),
  'audit log, largest organisation': audit('largest', ''),
  'its audit log by action': audit('largest', '&action=user.updated'),
  'by several actions': audit('largest', '&action=user.*&action=login.*'),
  'by actor': audit('largest', ({ largest }) => `&actorId=${largest.userId}`),
  'by address of a user': audit('largest', ({ largest }) => `&email=${encodeURIComponent(largest.email)}`),
  'by IP address': audit('largest', '&ipAddress=198.51.100.7'),
  'by an IP address that does not occur': audit('largest', '&ipAddress=192.0.2.1'),
  'by action and IP address': audit('largest', '&action=user.updated&ipAddress=10.1.1.1'),
  'of an old time': audit('largest', () => `&from=${daysAgo(500)}&to=${daysAgo(400)}`),
  'impact of a role change': impactOf(40, 'usual'),
  'impact of a role change, largest organisation': impactOf(5, 'largest'),
  statistics: pageOf(60, 'usual', '/v1/admin/statistics'),
  'statistics, largest organisation': pageOf(60, 'largest', '/v1/admin/statistics'),
  'counting them anew, which happens twice a minute': ours(3, ({ database, largest }) =>
    countRecords(
      database.tenant(largest.organisationId),
      new Set(permissionSlugs),
      createRecentCounts(database.clock, () => false),
    ),
  ),
  'statistics of sign-ins, largest organisation': pageOf(10, 'largest', '/v1/admin/statistics/sign-ins'),
  'list of organisations': asked(60, async ({ visitor }) => {
    succeeded(await visitor.get('/v1/system/organisations?limit=50', operator))
  }),
  'organisations whose name begins with a text': asked(60, async ({ visitor }) => {
    succeeded(await visitor.get('/v1/system/organisations?limit=50&search=organisation%201', operator))
  }),
  'export of an organisation': ours(5, async (of, index) => {
    for await (const _ of exportOrganisation(of.database, usual(of, index).organisationId));
  }),
  'claim of 100 webhooks': ours(
    10,
    async ({ database }) => {
      const claimed = await claimDueDeliveries(database.system(), {
        limits: {
          total: claimPolicy.max,
          perOrganisation: slotPolicy.perOrganisationAndClaim,
          organisations: new Map(),
          perEndpoint: slotPolicy.perEndpoint,
          endpoints: new Map(),
        },
        position: { afterOrganisationId: undefined, afterEndpointIds: new Map() },
        leaseSeconds: 0,
      })
      if (claimed.length === 0) throw new Error('No delivery was due')
    },
    async ({ database }) => {
      const system = database.system()
      await sql`
        insert into webhook_deliveries (organisation_id, id, endpoint_id, event_id, event, variant, body, next_attempt_at, created_at)
        select organisation_id, new_id('dlv', ${system.now}), id, new_id('evt', ${system.now}), 'user.updated', 'B', '{}', ${system.now}, ${system.now}
        from (select * from webhook_endpoints order by id desc limit 10) e
        cross join generate_series(1, 10)
        where not exists (select from webhook_deliveries where status = 'pending' and next_attempt_at <= ${system.now})`.execute(system)
    },
  ),
  'claim with nothing due': ours(10, async ({ database }) => {
    const system = database.system()
    const limits = {
      total: claimPolicy.max,
      perOrganisation: slotPolicy.perOrganisationAndClaim,
      organisations: new Map(),
      perEndpoint: slotPolicy.perEndpoint,
      endpoints: new Map(),
    }
    await sql`update webhook_deliveries set status = 'delivered', next_attempt_at = null where status = 'pending' and next_attempt_at <= ${system.now}`.execute(
      system,
    )
    await claimDueDeliveries(system, { limits, position: { afterOrganisationId: undefined, afterEndpointIds: new Map() }, leaseSeconds: 0 })
  }),
  'sweep of 50 expired tokens': ours(
    1,
    ({ database }) => removeExpiredTokens.run(database),
    async ({ database }) => {
      const system = database.system()
      await sql`update token_families set kept_until = ${secondsAfter(system.now, -60)}
        where (organisation_id, id) in (select organisation_id, id from token_families order by kept_until limit ${expired})`.execute(
        system,
      )
    },
  ),
  'sweep of tokens with none expired': ours(20, ({ database }) => removeExpiredTokens.run(database)),
  'sweep of 50 ended sessions': ours(
    1,
    ({ database }) => removeEndedSessions.run(database),
    async ({ database }) => {
      const system = database.system()
      await sql`update sessions set expires_at = ${daysBefore(system.now, 2)}
        where id in (select id from sessions where expires_at > ${system.now} and last_activity_at < ${secondsAfter(system.now, -3_600)} order by expires_at limit ${expired})`.execute(
        system,
      )
    },
  ),
  'sweep of sessions with none ended': ours(20, ({ database }) => removeEndedSessions.run(database)),
  'sweep of 50 old webhooks': ours(
    1,
    ({ database }) => removeOldDeliveries.run(database),
    async ({ database }) => {
      const system = database.system()
      await sql`update webhook_deliveries set created_at = ${daysBefore(system.now, 31)}
        where (organisation_id, id) in (select organisation_id, id from webhook_deliveries where status = 'delivered' order by created_at limit ${expired})`.execute(
        system,
      )
    },
  ),
  'fold of counts with nothing to fold': ours(20, ({ database }) => foldCounts(database.system())),
  'purge of an organisation': ours(
    1,
    async ({ database }) => {
      const purge = purgeOrganisations({ retentionDays: 30, onPurged: () => {} })
      while (await purge.run(database));
    },
    async ({ database }) => {
      const system = database.system()
      await sql`update organisations set status = 'cancelled', deleted_at = ${daysBefore(system.now, 31)}
        where id = (select id from organisations where slug like 'org-%' and status = 'active' order by id desc limit 1)`.execute(system)
    },
  ),
  'doctor, of the database': ours(2, async ({ database, databaseUrl }) => {
    const config = { ...readConfig({ DATABASE_URL: databaseUrl }), secretKey: undefined }
    const context = doctorContext({
      config,
      database,
      keyring: createKeyring(Buffer.alloc(32), undefined),
      migrationState: () => schemaState(database.system()),
    })
    const ofDatabase = checks.filter(
      ({ name }) =>
        !['clock', 'secret-key', 'mail-server', 'redis', 'address'].includes(name) &&
        !unmeasuredGroups.has(checks.find((one) => one.name === name)?.group ?? ''),
    )
    await examine(context, ofDatabase)
  }),
}

const unmeasuredGroups = new Set(['configuration', 'address', 'keys'])
const operator = { authorization: `Bearer ${systemApiKey}` }
