import { sql } from 'kysely'
import { daysBefore } from '../platform/clock.ts'
import { type Check, failure, firstOf, ok, warning } from './check.ts'

type Queue = 'webhook' | 'logout'

/** A check of how long the oldest delivery of a queue has been due. */
export const dueCheck = (queue: Queue, names: Pick<Check, 'name' | 'title'>): Check => ({
  ...names,
  group: 'webhooks',
  needsSchema: true,
  async run({ database, thresholds: { webhookWarningSeconds, webhookFailureSeconds } }) {
    const system = database.system()
    const { rows } = await sql<{ pending: number; due: number; seconds: number | null }>`
      select count(*) as pending, count(*) filter (where next_attempt_at <= ${system.now}) as due,
        extract(epoch from ${system.now}::timestamptz - min(next_attempt_at))::float8 as seconds
      from ${sql.table(`${queue}_deliveries`)} where status = 'pending' and next_attempt_at is not null`.execute(system)
    const { seconds, ...counts } = rows[0] as (typeof rows)[number]
    if (seconds === null) return ok(`no-${queue}-pending`)
    const values = { ...counts, oldestSeconds: seconds }
    if (seconds < webhookWarningSeconds) return ok(`${queue}s-pending`, values)
    return (seconds < webhookFailureSeconds ? warning : failure)(`${queue}s-late`, values)
  },
})

const due = dueCheck('webhook', { name: 'webhooks-due', title: 'Webhooks are delivered when they are due' })

const deactivated: Check = {
  name: 'webhooks-deactivated',
  group: 'webhooks',
  title: 'No webhook has been deactivated in the last week',
  needsSchema: true,
  async run({ database }) {
    const system = database.system()
    const { rows } = await sql<{ slug: string; url: string }>`
      select o.slug, e.url from webhook_endpoints e join organisations o on o.id = e.organisation_id
      where not e.is_active and exists (
        select from audit_logs a where a.organisation_id = e.organisation_id and a.target_id = e.id
          and a.action = 'webhook.deactivated' and a.created_at > ${daysBefore(system.now, 7)})
      order by o.slug, e.id`.execute(system)
    if (rows.length === 0) return ok('no-webhook-deactivated')
    // Omit the path, which may hold a secret.
    const found = rows.map(({ slug, url }) => ({ organisation: slug, host: URL.canParse(url) ? new URL(url).host : null }))
    return warning('webhooks-deactivated', { webhooks: rows.length, ...firstOf(found) })
  },
}

export const webhookChecks: readonly Check[] = [due, deactivated]
