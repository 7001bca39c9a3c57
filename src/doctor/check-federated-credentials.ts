import { sql } from 'kysely'
import { daysBefore } from '../platform/clock.ts'
import type { FederatedCredential } from '../platform/database/column-types.ts'
import type { Database } from '../platform/database/database.ts'
import { type Check, firstOf, ok, warning } from './check.ts'

const unusedDays = 90
/** More are not asked: each may take seconds. */
const issuersMax = 50

/** A client or an API key that trusts platforms. */
interface Trusting {
  slug: string
  name: string
  credentials: FederatedCredential[]
  /** Why no token is taken for it at present; null if one may be. */
  idle: 'revoked' | 'expired' | 'creator' | null
  /** When it was used, created or changed last. */
  movedAt: Date
}

async function trustingRecords(database: Database): Promise<Trusting[]> {
  const system = database.system()
  const { rows } = await sql<Trusting>`
    select o.slug, coalesce(c.name, k.name) as name, coalesce(c.federated_credentials, k.federated_credentials) as credentials,
      case
        when not c.is_active then 'revoked'
        when k.expires_at <= ${system.now} then 'expired'
        when u.blocked_at is not null or u.deleted_at is not null then 'creator'
      end as idle,
      greatest(c.last_used_at, c.updated_at, k.last_used_at, k.created_at) as moved_at
    from (select distinct organisation_id, client_id, api_key_id from federated_subjects) s
    join organisations o on o.id = s.organisation_id and o.status in ('trial', 'active')
    left join clients c on c.organisation_id = s.organisation_id and c.id = s.client_id
    left join api_keys k on k.organisation_id = s.organisation_id and k.id = s.api_key_id
    left join users u on u.organisation_id = k.organisation_id and u.id = k.created_by_id
    order by o.slug, name`.execute(system)
  return rows
}

const reachable: Check = {
  name: 'federated-credentials',
  group: 'keys',
  title: 'The keys of every platform that is trusted can be fetched',
  needsSchema: true,
  seconds: 30,
  async run({ database, findIssuerFailures }) {
    const trusting = (await trustingRecords(database)).filter(({ idle }) => idle === null)
    const fetched = trusting.flatMap(({ slug, credentials }) =>
      credentials.filter(({ jwks }) => !jwks).map(({ issuer }) => ({ slug, issuer })),
    )
    const issuers = [...new Set(fetched.map(({ issuer }) => issuer))]
    if (issuers.length === 0) return ok('no-platform-needed')
    const asked = issuers.slice(0, issuersMax)
    const failures = await findIssuerFailures(asked)
    const notAsked = issuers.length - asked.length
    if (failures.length === 0) return ok('platforms-answer', { platforms: asked.length, notAsked })
    const found = failures.map(({ issuer, reason }) => {
      const organisations = [...new Set(fetched.filter((one) => one.issuer === issuer).map(({ slug }) => slug))]
      return { issuer, organisations, reason }
    })
    return warning('platforms-without-keys', { ...firstOf(found), notAsked })
  },
}

const unused: Check = {
  name: 'federated-credentials-unused',
  group: 'keys',
  title: `Every client and API key that trusts a platform has been used within ${unusedDays} days`,
  needsSchema: true,
  async run({ database, config: { oauthExtensions } }) {
    const trusting = await trustingRecords(database)
    if (trusting.length === 0) return ok('no-platform-trusted')
    if (!oauthExtensions.has('federated_credentials')) {
      return warning('trust-without-extension', firstOf(trusting.map(({ slug, name }) => ({ organisation: slug, name }))))
    }
    const since = daysBefore(database.clock.now(), unusedDays)
    const found = trusting.flatMap(({ slug, name, idle, movedAt }) => {
      const reason = idle ?? (movedAt < since ? ('unused' as const) : undefined)
      return reason === undefined ? [] : [{ organisation: slug, name, idle: reason, usedAt: movedAt.toISOString() }]
    })
    return found.length > 0 ? warning('trust-unused', firstOf(found)) : ok('trust-in-use', { records: trusting.length })
  },
}

export const federatedCredentialChecks: readonly Check[] = [reachable, unused]
