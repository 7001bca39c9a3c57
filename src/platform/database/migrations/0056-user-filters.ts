import { type Kysely, sql } from 'kysely'

/**
 * What the list of users is narrowed by. Partial indexes hold the few that a filter is after: signing in, which moves the
 * user's entry in every index, costs those alone more than before.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  await run('create index user_roles_holders_index on user_roles (organisation_id, role_id, user_id)')
  await run('drop index user_roles_role_index')
  await run('create index team_members_members_index on team_members (organisation_id, team_id, user_id)')
  await run('drop index team_members_team_index')

  await run('create index users_blocked_index on users (organisation_id, id) where deleted_at is null and blocked_at is not null')
  await run('create index users_unverified_index on users (organisation_id, id) where deleted_at is null and email_verified_at is null')
  await run('create index users_mfa_index on users (organisation_id, id) where deleted_at is null and mfa_enabled')
  await run('create index users_deleted_index on users (organisation_id, id) where deleted_at is not null')
}
