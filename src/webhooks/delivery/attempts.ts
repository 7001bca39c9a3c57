import { type AliasedExpression, sql } from 'kysely'
import { presentTime } from '../../platform/http/fields.ts'

/** An attempt as JSON, which has no type for times. */
export interface StoredAttempt {
  at: string
  status: number | null
  durationMs: number
  error: string | null
  response: string | null
}

export const presentAttempt = ({ at, ...attempt }: StoredAttempt) => ({ at: presentTime(new Date(at)), ...attempt })

/** A queue and the attempts of its deliveries, by the names of their tables. */
export interface AttemptTables {
  deliveries: string
  attempts: string
}

const ofDelivery = ({ deliveries }: AttemptTables) =>
  sql.raw(`attempt.organisation_id = ${deliveries}.organisation_id and attempt.delivery_id = ${deliveries}.id`)

/** The error of a delivery's last attempt, as a column. */
export const lastErrorOf = (tables: AttemptTables): AliasedExpression<string | null, 'lastError'> =>
  sql<string | null>`(
    select error from ${sql.table(tables.attempts)} attempt
    where ${ofDelivery(tables)} and attempt.number = ${sql.raw(`${tables.deliveries}.attempt_count`)})`.as('lastError')

/** All attempts of a delivery, as a column. */
export const attemptsOf = (tables: AttemptTables): AliasedExpression<StoredAttempt[], 'attempts'> =>
  sql<StoredAttempt[]>`(
    select coalesce(json_agg(json_build_object('at', at, 'status', attempt.status, 'durationMs', duration_milliseconds,
      'error', error, 'response', response) order by number), '[]')
    from ${sql.table(tables.attempts)} attempt where ${ofDelivery(tables)})`.as('attempts')
