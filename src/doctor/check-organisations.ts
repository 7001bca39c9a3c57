import { sql } from 'kysely'
import { readSetUp } from '../operations/start-warnings.ts'
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
    const { rows } = await sql<{ slug: string; users: number }>`
      select o.slug, (select count(*) from users u where u.organisation_id = o.id and u.deleted_at is null) as users
      from organisations o where o.status = 'trial'`.execute(database.system())
    const over = rows.filter(({ users }) => users > trialMaxUsers)
    if (over.length === 0) return ok(`${rows.length} on trial, none with more than ${counted(trialMaxUsers, 'user')}`)
    return warning(someOf(over.map(({ slug, users }) => `${slug} has ${counted(users, 'user')}, of ${trialMaxUsers}`)), {
      why: 'They can add no user any more, and may not know why',
      remedy: `\`gatehouse organisation activate ${over[0]?.slug}\`, or a higher TRIAL_MAX_USERS`,
    })
  },
}

export const organisationChecks: readonly Check[] = [first, trialLimits]
