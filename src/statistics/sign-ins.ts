import { sql } from 'kysely'
import type { Buckets } from '../platform/buckets.ts'
import type { Tenant } from '../platform/database/database.ts'
import { type BucketQuery, bucketsAsked } from '../platform/http/bucket-query.ts'
import { presentTime } from '../platform/http/fields.ts'
import type { SignIns } from './schemas.ts'

const daysMax = 366

/**
 * The sign-ins in each hour or day between two times.
 *
 * @throws Problem `bad-request` for a range that is empty or too long
 */
export async function countSignIns(tenant: Tenant, query: BucketQuery): Promise<SignIns> {
  const buckets = bucketsAsked(query, tenant.now, daysMax)
  const counted = new Map((await countIn(tenant, buckets)).map(({ place, ...counts }) => [place, counts]))
  const none = { succeeded: 0, failed: 0, users: 0 }
  return { data: buckets.starts.map((at, index) => ({ at: presentTime(at), ...(counted.get(index + 1) ?? none) })) }
}

interface CountedBucket {
  /** Counts from 1. */
  place: number
  succeeded: number
  failed: number
  users: number
}

/** A user is counted by the first sign-in in a bucket: the one before it was earlier than the bucket. */
async function countIn(tenant: Tenant, { starts, end }: Buckets): Promise<CountedBucket[]> {
  const times = sql`${starts.map((start) => start.toISOString())}::text[]::timestamptz[]`
  const isBetween = sql`quarter_at >= ${starts[0]} and quarter_at < ${end}`
  // Materialised: the texts would be read as times again for each row.
  const { rows } = await sql<CountedBucket>`
    with buckets as materialized (select ${times} as starts), counts as (
      select quarter_at, previous_at, succeeded, failed from sign_in_counts where ${isBetween}
      union all select quarter_at, previous_at, succeeded, failed from sign_in_count_changes where ${isBetween}
    )
    select place, sum(succeeded) as succeeded, sum(failed) as failed,
      coalesce(sum(succeeded) filter (where previous_at < starts[place]), 0) as users
    from counts cross join buckets cross join lateral width_bucket(quarter_at, starts) as place
    group by place`.execute(tenant)
  return rows
}
