import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import type { AssignmentSource } from './schemas.ts'

/** The source of a user's role or membership in a team: administrators, an identity provider or a directory. */
export type Source = 'manual' | UpstreamSource
export type UpstreamSource = `connection:${string}` | `directory:${string}`

/** A connection as a source of roles and memberships in teams. */
export const sourceOf = (connectionId: string): UpstreamSource => `connection:${connectionId}`

/** A directory as a source of roles and memberships in teams. */
export const sourceOfDirectory = (directoryId: string): UpstreamSource => `directory:${directoryId}`

/** A role or team that a source has just given to a user. */
export interface Given {
  id: string
  /** False when another source gave it already. */
  isNew: boolean
}

/** A role or team that a source has just taken from a user. */
export interface Taken {
  id: string
  /** False when another source still gives it. */
  isGone: boolean
}

/** A role or team of a user that a source gives since now, or gives no longer. */
export interface ChangeOfSource {
  userId: string
  id: string
  gives: boolean
  /** Whether the user has it since now, or has it no longer: no other source gives it. */
  isEffective: boolean
}

/** The roles or teams that a user has gained and lost. */
export interface ChangesOfUser {
  added: string[]
  removed: string[]
}

export const unchanged: ChangesOfUser = { added: [], removed: [] }

/** What the user of these changes has gained and lost: nothing by a source beside another one. */
export function effectiveOf(changes: readonly ChangeOfSource[]): ChangesOfUser {
  const effective = changes.filter(({ isEffective }) => isEffective)
  return {
    added: effective.filter(({ gives }) => gives).map(({ id }) => id),
    removed: effective.filter(({ gives }) => !gives).map(({ id }) => id),
  }
}

const tables = {
  user_roles: { sources: 'user_role_sources', key: 'role_id', named: 'roles' },
  team_members: { sources: 'team_member_sources', key: 'team_id', named: 'teams' },
} as const

/**
 * The statements that change a table whose rows exist exactly while they have a source: each writes both, so the two never differ.
 * Deleting a row deletes its sources.
 *
 * The caller has locked the user's row. Otherwise one source could be added
 * while the last other one is removed, and would be removed along with it.
 */
export function rowsWithSources(table: keyof typeof tables) {
  const rows = sql.table(table)
  const sources = sql.table(tables[table].sources)
  const key = sql.ref(tables[table].key)
  const of = (tenant: Tenant, userId: string) => sql`organisation_id = ${tenant.organisationId} and user_id = ${userId}`
  const besides = (held: string, source: Source) => {
    const column = (name: string) => sql.ref(`${held}.${name}`)
    return sql`exists (
      select from ${sources} other
      where other.organisation_id = ${column('organisation_id')} and other.user_id = ${column('user_id')}
        and other.${key} = ${column(tables[table].key)} and other.source <> ${source})`
  }

  /** Adds the source to these rows of the user. @returns the rows to which it was added */
  async function give(tenant: Tenant, userId: string, source: Source, ids: readonly string[]): Promise<Given[]> {
    if (ids.length === 0) return []
    const { rows: given } = await sql<Given>`
      with asked as (
        select distinct id from unnest(${ids}::text[]) as id
      ), given as (
        insert into ${sources} (user_id, ${key}, source, created_at)
        select ${userId}, id, ${source}, ${tenant.now} from asked
        on conflict do nothing returning ${key} as id
      ), added as (
        insert into ${rows} (user_id, ${key}, created_at)
        select ${userId}, id, ${tenant.now} from asked
        on conflict do nothing returning ${key} as id
      )
      select given.id, added.id is not null as is_new from given left join added on added.id = given.id`.execute(tenant)
    return given
  }

  /** Removes the source from these rows of the user. @returns the rows from which it was removed */
  async function take(tenant: Tenant, userId: string, source: Source, ids: readonly string[]): Promise<Taken[]> {
    if (ids.length === 0) return []
    const { rows: taken } = await sql<Taken>`
      with taken as (
        delete from ${sources} where ${of(tenant, userId)} and source = ${source} and ${key} = any(${ids}::text[]) returning ${key} as id
      ), removed as (
        delete from ${rows} held using taken
        where ${of(tenant, userId)} and held.${key} = taken.id and not ${besides('held', source)}
        returning held.${key} as id
      )
      select taken.id, removed.id is not null as is_gone from taken left join removed on removed.id = taken.id`.execute(tenant)
    return taken
  }

  return {
    give,
    take,

    /**
     * Sets what a source gives to one user, whose row is locked.
     *
     * @param before what it has given until now
     * @param asked what it gives since now, which are known ids
     * @param addsOnly whether what it no longer gives remains
     */
    async replace(
      tenant: Tenant,
      userId: string,
      source: UpstreamSource,
      { before, asked, addsOnly }: { before: readonly string[]; asked: readonly string[]; addsOnly: boolean },
    ): Promise<ChangeOfSource[]> {
      const taken = addsOnly ? [] : await take(tenant, userId, source, [...new Set(before).difference(new Set(asked))])
      const given = await give(tenant, userId, source, asked)
      return [
        ...given.map(({ id, isNew }) => ({ userId, id, gives: true, isEffective: isNew })),
        ...taken.map(({ id, isGone }) => ({ userId, id, gives: false, isEffective: isGone })),
      ]
    },

    async givenBy(tenant: Tenant, userId: string, source: Source): Promise<string[]> {
      const { rows: given } = await sql<{ id: string }>`
        select ${key} as id from ${sources} where ${of(tenant, userId)} and source = ${source}`.execute(tenant)
      return given.map(({ id }) => id)
    },

    /** The sources of this row other than administrators. */
    async otherSources(tenant: Tenant, userId: string, id: string): Promise<AssignmentSource[]> {
      const held = sql`(values (${tenant.organisationId}, ${userId}, ${id})) as held (organisation_id, user_id, ${key})`
      const { rows: found } = await sql<{
        sources: AssignmentSource[]
      }>`select ${sourcesOf(table, 'held')} as sources from ${held}`.execute(tenant)
      return (found[0]?.sources ?? []).filter(({ type }) => type !== 'manual')
    },

    /**
     * Sets what a source gives to any number of users, whose rows the caller has locked, with one statement.
     *
     * It is written for users and rows that PostgreSQL has not analysed yet, and believes to be few: what is held is looked up user by
     * user (`offset 0`), and what `in` looks for is read once and found by hash, as it can be no join (`is true`, or a result).
     *
     * @param users a query for their ids
     * @param wanted a query for `user_id` and the `id` of each that the source gives; unknown ids are left out
     */
    async set(
      tenant: Tenant,
      source: UpstreamSource,
      { users, wanted }: { users: RawBuilder<string>; wanted: RawBuilder<unknown> },
    ): Promise<ChangeOfSource[]> {
      const known = sql.table(tables[table].named)
      const isOneOf = (changes: string) => sql`
        exists (select from ${sql.table(changes)}) and held.user_id = any(array(select user_id from ${sql.table(changes)}))
        and ((held.user_id, held.${key}) in (select user_id, id from ${sql.table(changes)})) is true`
      const { rows: changes } = await sql<ChangeOfSource>`
        with asked as (${wanted}),
        known as (
          select id from ${known}
          where organisation_id = ${tenant.organisationId} and (id in (select id from asked)) is true order by id for key share
        ), wanted as (
          select distinct user_id, id from asked where (id in (select id from known)) is true
        ), given_before as (
          select concerned.user_id, held.id from (${users}) as concerned (user_id)
          cross join lateral (
            select ${key} as id, source from ${sources}
            where organisation_id = ${tenant.organisationId} and user_id = concerned.user_id offset 0) as held
          where held.source = ${source}
        ), given as (
          insert into ${sources} (user_id, ${key}, source, created_at)
          select user_id, id, ${source}, ${tenant.now} from (select * from wanted except select * from given_before) as new
          on conflict do nothing returning user_id, ${key} as id
        ), added as (
          insert into ${rows} (user_id, ${key}, created_at) select user_id, id, ${tenant.now} from given
          on conflict do nothing returning user_id, ${key} as id
        ), no_longer as materialized (
          select * from given_before except select * from wanted
        ), taken as (
          delete from ${sources} held
          where held.organisation_id = ${tenant.organisationId} and held.source = ${source} and ${isOneOf('no_longer')}
          returning held.user_id, held.${key} as id
        ), removed as (
          delete from ${rows} held
          where held.organisation_id = ${tenant.organisationId} and ${isOneOf('taken')} and not ${besides('held', source)}
          returning held.user_id, held.${key} as id
        )
        select user_id, id, true as gives, (user_id, id) in (select * from added) as is_effective from given
        union all
        select user_id, id, false, (user_id, id) in (select * from removed) from taken`.execute(tenant)
      return changes
    },

    /** Turns all rows of the user into manual ones. */
    async makeManual(tenant: Tenant, userId: string): Promise<void> {
      await sql`
        with given as (
          insert into ${sources} (user_id, ${key}, source, created_at)
          select distinct user_id, ${key}, 'manual', ${tenant.now}::timestamptz from ${sources} where ${of(tenant, userId)} and source <> 'manual'
          on conflict do nothing
        )
        delete from ${sources} where ${of(tenant, userId)} and source <> 'manual'`.execute(tenant)
    },

    /** Locks every user to whom the source gives anything. @returns the distinct ids of what it gives them */
    async lockGivenTo(tenant: Tenant, source: Source): Promise<string[]> {
      const given = sql`
        from ${sources} given where given.organisation_id = ${tenant.organisationId} and given.source = ${source} and given.source <> 'manual'`
      await sql`select from users where organisation_id = ${tenant.organisationId} and id in (select given.user_id ${given}) order by id for update`.execute(
        tenant,
      )
      const { rows: found } = await sql<{ id: string }>`select distinct given.${key} as id ${given} order by id`.execute(tenant)
      return found.map(({ id }) => id)
    },

    /** Removes this row from all users to whom only the source gives it. The users are locked. */
    removeFromAll: (source: Source, id: string) => sql<{ userId: string }>`
      delete from ${rows} held using ${sources} given
      where given.organisation_id = held.organisation_id and given.user_id = held.user_id and given.${key} = held.${key}
        and held.${key} = ${id} and given.source = ${source} and given.source <> 'manual' and not ${besides('held', source)}
      returning held.user_id`,

    /** Removes the source from all rows, after {@link removeFromAll} for everything that it gave. */
    async forget(tenant: Tenant, source: Source): Promise<void> {
      await sql`delete from ${sources} where organisation_id = ${tenant.organisationId} and source = ${source} and source <> 'manual'`.execute(
        tenant,
      )
    },
  }
}

/**
 * SQL for the sources of a row, as the API shows them: `manual` first.
 *
 * @param row the name of the row in the statement
 */
export function sourcesOf(table: keyof typeof tables, row: string) {
  const { sources, key } = tables[table]
  const ofRow = ['organisation_id', 'user_id', key].map((column) => sql`given.${sql.ref(column)} = ${sql.ref(`${row}.${column}`)}`)
  const [type, id] = [sql`split_part(given.source, ':', 1)`, sql`split_part(given.source, ':', 2)`]
  return sql<AssignmentSource[]>`(
    select coalesce(json_agg(json_build_object('type', ${type}, 'id', nullif(${id}, ''), 'name', coalesce(connections.name, directories.name))
      order by given.source <> 'manual', given.source), '[]')
    from ${sql.table(sources)} given
    left join connections on connections.organisation_id = given.organisation_id and connections.id = ${id}
    left join directories on directories.organisation_id = given.organisation_id and directories.id = ${id}
    where ${sql.join(ofRow, sql` and `)})`
}

/** Whether a source gives the requested rows already, and no others unless it only adds. */
export function isSettled(given: readonly string[], asked: readonly string[], addsOnly: boolean): boolean {
  const [is, toBe] = [new Set(given), new Set(asked)]
  return toBe.isSubsetOf(is) && (addsOnly || is.isSubsetOf(toBe))
}
