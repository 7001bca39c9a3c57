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

  return {
    /** Adds the source to these rows of the user. @returns the rows to which it was added */
    async give(tenant: Tenant, userId: string, source: Source, ids: readonly string[]): Promise<Given[]> {
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
    },

    /** Removes the source from these rows of the user. @returns the rows from which it was removed */
    async take(tenant: Tenant, userId: string, source: Source, ids: readonly string[]): Promise<Taken[]> {
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
    },

    async givenBy(tenant: Tenant, userId: string, source: Source): Promise<string[]> {
      const { rows: given } = await sql<{ id: string }>`
        select ${key} as id from ${sources} where ${of(tenant, userId)} and source = ${source}`.execute(tenant)
      return given.map(({ id }) => id)
    },

    /** The sources of this row other than administrators, as messages name them: `connection "Workforce"`. */
    async otherSources(tenant: Tenant, userId: string, id: string): Promise<string[]> {
      const held = sql`(values (${tenant.organisationId}, ${userId}, ${id})) as held (organisation_id, user_id, ${key})`
      const { rows: found } = await sql<{
        sources: AssignmentSource[]
      }>`select ${sourcesOf(table, 'held')} as sources from ${held}`.execute(tenant)
      return (found[0]?.sources ?? []).flatMap((source) =>
        source.type === 'manual' ? [] : [`${source.type} ${source.name === null ? source.id : JSON.stringify(source.name)}`],
      )
    },

    /**
     * Sets what a source gives to any number of users, whose rows the caller has locked, with one statement.
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
      const { rows: changes } = await sql<ChangeOfSource>`
        with asked as (${wanted}),
        known as (
          select id from ${known}
          where organisation_id = ${tenant.organisationId} and id in (select id from asked) order by id for key share
        ), wanted as (
          select distinct asked.user_id, asked.id from asked join known on known.id = asked.id
        ), given_before as (
          select user_id, ${key} as id from ${sources}
          where organisation_id = ${tenant.organisationId} and source = ${source} and source <> 'manual' and user_id in (${users})
        ), given as (
          insert into ${sources} (user_id, ${key}, source, created_at)
          select user_id, id, ${source}, ${tenant.now} from (select * from wanted except select * from given_before) as new
          on conflict do nothing returning user_id, ${key} as id
        ), added as (
          insert into ${rows} (user_id, ${key}, created_at) select user_id, id, ${tenant.now} from given
          on conflict do nothing returning user_id, ${key} as id
        ), taken as (
          delete from ${sources} held using (select * from given_before except select * from wanted) as old
          where held.organisation_id = ${tenant.organisationId} and held.user_id = old.user_id and held.${key} = old.id and held.source = ${source}
          returning held.user_id, held.${key} as id
        ), removed as (
          delete from ${rows} held using taken
          where held.organisation_id = ${tenant.organisationId} and held.user_id = taken.user_id and held.${key} = taken.id
            and not ${besides('held', source)}
          returning held.user_id, held.${key} as id
        )
        select given.user_id, given.id, true as gives, added.id is not null as is_effective
        from given left join added on added.user_id = given.user_id and added.id = given.id
        union all
        select taken.user_id, taken.id, false, removed.id is not null
        from taken left join removed on removed.user_id = taken.user_id and removed.id = taken.id`.execute(tenant)
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
