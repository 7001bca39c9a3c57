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
  /** The position, counted from 1. */
  place: number
  succeeded: number
  failed: number
  users: number
}

/**
 * A user is counted by the first sign-in in a bucket: the one before it was earlier than the bucket. Each bucket is summed along the
 * index: to look up the bucket of each row takes twice as long.
 */
async function countIn(tenant: Tenant, { starts, end }: Buckets): Promise<CountedBucket[]> {
  const times = sql`${starts.map((start) => start.toISOString())}::text[]::timestamptz[]`
  const counts = sql`previous_at, succeeded, failed`
  const { rows } = await sql<CountedBucket>`
    with buckets as materialized (
      select place::int, start, lead(start, 1, ${end}::timestamptz) over (order by place) as next
      from unnest(${times}) with ordinality as given (start, place)
    ), changes as materialized (
      select quarter_at, ${counts} from sign_in_count_changes where quarter_at >= ${starts[0]} and quarter_at < ${end}
    )
    select place, succeeded, failed, users from buckets cross join lateral (
      select sum(succeeded) as succeeded, sum(failed) as failed, coalesce(sum(succeeded) filter (where previous_at < start), 0) as users
      from (
        select ${counts} from sign_in_counts where quarter_at >= start and quarter_at < next
        union all select ${counts} from changes where quarter_at >= start and quarter_at < next
      ) as counts
    ) as counted
    where succeeded is not null`.execute(tenant)
  return rows
}
