import { type Kysely, sql } from 'kysely'
import { asSystem } from './as-system.ts'

/**
 * Stores with each role the slugs of its permissions, so that what a user may do is read from their roles alone, with every
 * request. `role_permissions` still says what a role holds. Triggers follow it, so that the previous release is followed, too.
 * Each adds to the array or takes from it, and never counts it anew: of two transactions that change one role at once, the second
 * waits for the row and then changes what the first has left.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  await run(`alter table roles add column permission_slugs text[] not null default '{}'`)
  await asSystem(database, () =>
    run(`
      update roles set permission_slugs = array(
        select p.slug from role_permissions rp join permissions p on p.id = rp.permission_id
        where rp.organisation_id = roles.organisation_id and rp.role_id = roles.id order by p.slug
      )`),
  )

  const slugsOfChanged = `
    select p.slug from changed c join permissions p on p.id = c.permission_id
    where c.organisation_id = roles.organisation_id and c.role_id = roles.id`
  for (const [event, rows, operator] of [
    ['insert', 'new', 'union'],
    ['delete', 'old', 'except'],
  ]) {
    await run(`
      create function follow_${event}_of_role_permissions() returns trigger language plpgsql as $$
      begin
        update roles set permission_slugs = array(select unnest(permission_slugs) ${operator} (${slugsOfChanged}) order by 1)
        where (organisation_id, id) in (select organisation_id, role_id from changed);
        return null;
      end $$`)
    await run(`
      create trigger role_permissions_follow_${event} after ${event} on role_permissions
      referencing ${rows} table as changed for each statement execute function follow_${event}_of_role_permissions()`)
  }
  // The grants of a deleted permission go by a cascade, when its slug can no longer be read.
  await run(`
    create function follow_deleted_permission() returns trigger language plpgsql as $$
    begin
      update roles set permission_slugs = array_remove(permission_slugs, old.slug) where old.slug = any (permission_slugs);
      return null;
    end $$`)
  await run(`
    create trigger permissions_follow_deletion after delete on permissions
    for each row execute function follow_deleted_permission()`)
}
