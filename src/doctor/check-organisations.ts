import { sql } from 'kysely'
import { signInSetting } from '../access/sign-in-setting.ts'
import { findLockedDomains, findUnprovenDomains } from '../domains/queries.ts'
import { readSetUp } from '../operations/start-warnings.ts'
import { storedCountOf } from '../platform/database/stored-counts.ts'
import { counted } from '../platform/text.ts'
import { type Check, ok, someOf, warning } from './check.ts'

const first: Check = {
  name: 'first-organisation',
  group: 'organisations',
  title: 'An organisation exists, so that users can sign in',
  needsSchema: true,
  async run({ database, config: { systemApiKey } }) {
    const { hasOrganisation } = await readSetUp(database)
    if (hasOrganisation) return ok('An organisation exists')
    return warning('No organisation exists', {
      why: 'No user can sign in',
      remedy: systemApiKey
        ? '`gatehouse organisation create`, or POST /v1/organisations with SYSTEM_API_KEY'
        : '`gatehouse organisation create`, or start once with BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD',
    })
  },
}

const trialLimits: Check = {
  name: 'trial-limits',
  group: 'organisations',
  title: 'No organisation on trial has more users than it may have',
  needsSchema: true,
  async run({ database, config: { trialMaxUsers } }) {
    // Of very many organisations, those with many users are found by an index; a count that has just changed is not stored yet.
    const { rows } = await sql<{ slug: string; users: number }>`
      with many as (
        select organisation_id as id from record_counts where records = 'users' and count > ${trialMaxUsers}
        union select organisation_id from record_count_changes where records = 'users')
      select o.slug, ${sql.raw(storedCountOf('o.id', "'users'"))} as users
      from many join organisations o on o.id = many.id where o.status = 'trial' order by o.slug`.execute(database.system())
    const over = rows.filter(({ users }) => users > trialMaxUsers)
    if (over.length === 0) return ok(`None has more than ${counted(trialMaxUsers, 'user')}`)
    return warning(someOf(over.map(({ slug, users }) => `${slug} has ${counted(users, 'user')}, of ${trialMaxUsers}`)), {
      why: 'They can add no user any more, and may not know why',
      remedy: `\`gatehouse organisation activate ${over[0]?.slug}\`, or a higher TRIAL_MAX_USERS`,
    })
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
    if (rows.length === 0) return ok('None requires what no user can enrol')
    return warning(someOf(rows.map(({ slug }) => slug)), {
      why: 'Users without a second factor cannot enrol one, and so cannot get in by a password',
      remedy:
        'Set SMS_GATEWAY_URL if they use text messages; otherwise an administrator allows authenticator apps (Organisation, Sign-in), or no longer requires a second factor',
    })
  },
}

const reasons = { inactive: 'inactive', 'without-secret': 'without its secret or key', failing: 'failing' }

const singleSignOn: Check = {
  name: 'single-sign-on',
  group: 'organisations',
  title: 'Every domain that requires single sign-on has a connection that works',
  needsSchema: true,
  async run({ database }) {
    const locked = await findLockedDomains(database.system())
    if (locked.length === 0) return ok('No domain requires a connection that does not work')
    const seen = locked.map(
      ({ organisation, domain, connection, why }) => `${organisation} requires ${connection} at ${domain}, which is ${reasons[why]}`,
    )
    return warning(someOf(seen), {
      why: 'Of the users with addresses of these domains, only the owner and who may bypass it can sign in',
      remedy:
        'Have the owner mend the connection (Connections): set its secret, rotate its keys and give them to the provider, or activate it. Until then, let the domain only offer single sign-on (Domains)',
    })
  },
}

const domainRecords: Check = {
  name: 'domain-records',
  group: 'organisations',
  title: 'The DNS record of every verified domain is found',
  needsSchema: true,
  async run({ database }) {
    const unproven = await findUnprovenDomains(database.system())
    if (unproven.length === 0) return ok('None is missing')
    const seen = unproven.map(
      ({ organisation, domain, since, requiresSso }) =>
        `${domain} of ${organisation}${requiresSso ? ', which requires single sign-on,' : ''} ${since ? `since ${since.toISOString().slice(0, 10)}` : 'has lapsed'}`,
    )
    return warning(someOf(seen), {
      why: 'A domain without its record lapses after a week: it requires no single sign-on any more, and another organisation may prove it',
      remedy:
        'Have an administrator restore the TXT record and verify the domain again, or remove the domain (Domains). If no domain of yours is found, see DNS_SERVERS',
    })
  },
}

export const organisationChecks: readonly Check[] = [first, trialLimits, secondFactors, singleSignOn, domainRecords]
