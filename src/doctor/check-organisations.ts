import { sql } from 'kysely'
import { signInSetting } from '../access/sign-in-setting.ts'
import { findLockedDomains, findUnprovenDomains } from '../domains/queries.ts'
import { readSetUp } from '../operations/start-warnings.ts'
import { storedCountOf } from '../platform/database/stored-counts.ts'
import { type Check, firstOf, ok, warning } from './check.ts'

const first: Check = {
  name: 'first-organisation',
  group: 'organisations',
  title: 'An organisation exists, so that users can sign in',
  needsSchema: true,
  async run({ database, config: { systemApiKey } }) {
    const { hasOrganisation } = await readSetUp(database)
    return hasOrganisation ? ok('organisation-exists') : warning('no-organisation', { hasSystemKey: Boolean(systemApiKey) })
  },
}

const trialLimits: Check = {
  name: 'trial-limits',
  group: 'organisations',
  title: 'No organisation on trial has more users than it may have',
  needsSchema: true,
  async run({ database, config: { trialMaxUsers } }) {
    // Of very many organisations, those with many users are found by an index; a count that has just changed is not stored yet.
    const { rows } = await sql<{ organisation: string; users: number }>`
      with many as (
        select organisation_id as id from record_counts where records = 'users' and count > ${trialMaxUsers}
        union select organisation_id from record_count_changes where records = 'users')
      select o.slug as organisation, ${sql.raw(storedCountOf('o.id', "'users'"))} as users
      from many join organisations o on o.id = many.id where o.status = 'trial' order by o.slug`.execute(database.system())
    const over = rows.filter(({ users }) => users > trialMaxUsers)
    if (over.length === 0) return ok('trials-within-limit', { usersMax: trialMaxUsers })
    return warning('trials-beyond-limit', { ...firstOf(over), usersMax: trialMaxUsers })
  },
}

const secondFactors: Check = {
  name: 'second-factors',
  group: 'organisations',
  title: 'Every organisation that requires a second factor allows one that users can enrol',
  needsSchema: true,
  async run({ database, config: { production, smsGateway } }) {
    const sendsSms = smsGateway !== undefined || !production
    const { rows } = await sql<{ slug: string }>`
      select slug from organisations
      where require_mfa and status in ('trial', 'active') and 'totp' <> all (allowed_mfa_methods)
        and ('passkey' <> all (allowed_mfa_methods) or ${sql.raw(signInSetting('organisations', 'passkeys'))} = 'off')
        and ('sms' <> all (allowed_mfa_methods) or not ${sendsSms}::boolean)
      order by slug`.execute(database.system())
    if (rows.length === 0) return ok('second-factors-possible')
    return warning('second-factors-impossible', firstOf(rows.map(({ slug }) => slug)))
  },
}

const singleSignOn: Check = {
  name: 'single-sign-on',
  group: 'organisations',
  title: 'Every domain that requires single sign-on has a connection that works',
  needsSchema: true,
  async run({ database }) {
    const locked = await findLockedDomains(database.system())
    return locked.length > 0 ? warning('single-sign-on-broken', firstOf(locked)) : ok('single-sign-on-works')
  },
}

const domainRecords: Check = {
  name: 'domain-records',
  group: 'organisations',
  title: 'The DNS record of every verified domain is found',
  needsSchema: true,
  async run({ database }) {
    const unproven = await findUnprovenDomains(database.system())
    if (unproven.length === 0) return ok('domain-records-found')
    const missing = unproven.map(({ organisation, domain, since, requiresSso }) => ({
      domain,
      organisation,
      requiresSingleSignOn: requiresSso,
      since: since?.toISOString() ?? null,
    }))
    return warning('domain-records-missing', firstOf(missing))
  },
}

export const organisationChecks: readonly Check[] = [first, trialLimits, secondFactors, singleSignOn, domainRecords]
