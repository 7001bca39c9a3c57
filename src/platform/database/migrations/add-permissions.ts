import { type Kysely, sql } from 'kysely'
import { newId } from '../../ids.ts'
import { lockUntilCommit } from '../locks-and-channels.ts'
import { asSystem } from './as-system.ts'

export type NewPermission = readonly [slug: string, name: string, description: string]

/**
 * Adds permissions to the catalogue and to every owner role. An operator may have added one of the slugs already: then it becomes the
 * service's own, and every role that holds it keeps it.
 */
export async function addPermissions(database: Kysely<unknown>, category: string, permissions: readonly NewPermission[]): Promise<void> {
  const now = new Date()
  const rows = permissions.map(
    ([slug, name, description]) => sql`(${newId('prm', now)}, ${slug}, ${name}, ${description}, ${category}, ${now}, ${now})`,
  )
  const slugs = permissions.map(([slug]) => slug)
  await asSystem(database, async () => {
    // An organisation that the previous release is creating would otherwise miss them.
    await lockUntilCommit(database, 'permissions')
    await sql`
      insert into permissions (id, slug, name, description, category, created_at, updated_at)
      values ${sql.join(rows)}
      on conflict (slug) do update set
        name = excluded.name, description = excluded.description, category = excluded.category, updated_at = excluded.updated_at`.execute(
      database,
    )
    await sql`
      insert into role_permissions (organisation_id, role_id, permission_id)
      select r.organisation_id, r.id, p.id from roles r, permissions p
      where r.is_owner and p.slug = any(${slugs}::text[])
      on conflict do nothing`.execute(database)
  })
}
