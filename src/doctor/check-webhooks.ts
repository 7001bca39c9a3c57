import { sql } from 'kysely'
import { daysBefore } from '../platform/clock.ts'
import { counted } from '../platform/text.ts'
import { type Check, duration, failure, ok, someOf, warning } from './check.ts'

/** A check of how long the oldest delivery of a queue has been due. */
export const dueCheck = (
  queue: 'webhook_deliveries' | 'logout_deliveries',
  { why, remedy, ...names }: Pick<Check, 'name' | 'title'> & { why: string; remedy: string },
): Check => ({
  ...names,
  group: 'webhooks',
  needsSchema: true,
  async run({ database, thresholds: { webhookWarningSeconds, webhookFailureSeconds } }) {
    const system = database.system()
    const { rows } = await sql<{ pending: number; due: number; seconds: number | null }>`
      select count(*) as pending, count(*) filter (where next_attempt_at <= ${system.now}) as due,
        extract(epoch from ${system.now}::timestamptz - min(next_attempt_at))::float8 as seconds
      from ${sql.table(queue)} where status = 'pending' and next_attempt_at is not null`.execute(system)
    const { pending, due, seconds } = rows[0] as (typeof rows)[number]
    if (seconds === null) return ok('No delivery is pending')
    const seen = `${pending} pending, ${due} due${seconds > 0 ? `, the oldest since ${duration(seconds)}` : ''}`
    if (seconds < webhookWarningSeconds) return ok(seen)
    return (seconds < webhookFailureSeconds ? warning : failure)(seen, { why, remedy })
  },
})

const due = dueCheck('webhook_deliveries', {
  name: 'webhooks-due',
  title: 'Webhooks are delivered when they are due',
  why: 'Programs that wait for events learn of them late',
  remedy:
    'Let a process with the workers run (`gatehouse serve`). If one does, `gatehouse webhooks deliveries` shows which receivers are slow: start another process',
})

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
    if (rows.length === 0) return ok('No webhook was deactivated')
    // Omit the path, which may hold a secret.
    const shown = rows.map(({ slug, url }) => `${slug} (${URL.canParse(url) ? new URL(url).host : 'unreadable URL'})`)
    return warning(`${counted(rows.length, 'webhook')}: ${someOf(shown)}`, {
      why: 'After ten failures in a row nothing is sent to them any more; the organisation was mailed',
      remedy: 'Have the receiver mended, activate the webhook in the console (Webhooks, Activate), and send again what it missed',
    })
  },
}

export const webhookChecks: readonly Check[] = [due, deactivated]
