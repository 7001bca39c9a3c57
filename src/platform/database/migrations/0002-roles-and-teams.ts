import { type Kysely, sql } from 'kysely'
import { newId } from '../../ids.ts'
import { organisationId, secureTenantTable } from './tenant-table.ts'

/** Permissions, and what groups them and people: roles, teams, invitations. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table permissions (
      id text primary key,
      slug text not null constraint permissions_slug_key unique,
      name text not null,
      description text not null,
      category text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(database)
  await sql`grant select on permissions to gatehouse_tenant`.execute(database)
  const now = new Date()
  for (const [slug, name, description] of permissions) {
    const category = slug.split(':')[0]
    await sql`
      insert into permissions (id, slug, name, description, category, created_at, updated_at)
      values (${newId('prm', now)}, ${slug}, ${name}, ${description}, ${category}, ${now}, ${now})`.execute(database)
  }

  await sql`
    create table roles (
      ${organisationId},
      id text not null,
      name text not null,
      slug text not null,
      description text not null default '',
      is_default boolean not null default false,
      is_owner boolean not null default false,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organisation_id, id),
      constraint roles_slug_key unique (organisation_id, slug)
    )`.execute(database)
  await sql`create unique index roles_default_key on roles (organisation_id) where is_default`.execute(database)
  await sql`create unique index roles_owner_key on roles (organisation_id) where is_owner`.execute(database)
  await secureTenantTable(database, 'roles')

  await sql`
    create table role_permissions (
      ${organisationId},
      role_id text not null,
      permission_id text not null references permissions (id) on delete cascade,
      primary key (organisation_id, role_id, permission_id),
      foreign key (organisation_id, role_id) references roles (organisation_id, id) on delete cascade
    )`.execute(database)
  await secureTenantTable(database, 'role_permissions')

  await sql`
    create table user_roles (
      ${organisationId},
      user_id text not null,
      role_id text not null,
      created_at timestamptz not null,
      primary key (organisation_id, user_id, role_id),
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade,
      foreign key (organisation_id, role_id) references roles (organisation_id, id) on delete cascade
    )`.execute(database)
  await sql`create index user_roles_role_index on user_roles (organisation_id, role_id)`.execute(database)
  await secureTenantTable(database, 'user_roles')

  await sql`
    create table teams (
      ${organisationId},
      id text not null,
      name text not null,
      slug text not null,
      description text not null default '',
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organisation_id, id),
      constraint teams_slug_key unique (organisation_id, slug)
    )`.execute(database)
  await secureTenantTable(database, 'teams')

  await sql`
    create table team_members (
      ${organisationId},
      team_id text not null,
      user_id text not null,
      created_at timestamptz not null,
      primary key (organisation_id, user_id, team_id),
      foreign key (organisation_id, team_id) references teams (organisation_id, id) on delete cascade,
      foreign key (organisation_id, user_id) references users (organisation_id, id) on delete cascade
    )`.execute(database)
  await sql`create index team_members_team_index on team_members (organisation_id, team_id)`.execute(database)
  await secureTenantTable(database, 'team_members')

  await sql`
    create table invitations (
      ${organisationId},
      id text not null,
      email text not null check (email = lower(email)),
      role_id text,
      status text not null default 'pending' check (status in ('pending', 'accepted', 'expired')),
      token_hash text not null constraint invitations_token_hash_key unique,
      invited_by_id text not null,
      expires_in_days integer not null,
      expires_at timestamptz not null,
      accepted_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organisation_id, id),
      foreign key (organisation_id, role_id) references roles (organisation_id, id) on delete set null (role_id),
      foreign key (organisation_id, invited_by_id) references users (organisation_id, id)
    )`.execute(database)
  await sql`create unique index invitations_pending_key on invitations (organisation_id, email) where status = 'pending'`.execute(database)
  await sql`create index invitations_expires_at_index on invitations (expires_at) where status = 'pending'`.execute(database)
  await secureTenantTable(database, 'invitations')

  await sql`
    create table invitation_teams (
      ${organisationId},
      invitation_id text not null,
      team_id text not null,
      primary key (organisation_id, invitation_id, team_id),
      foreign key (organisation_id, invitation_id) references invitations (organisation_id, id) on delete cascade,
      foreign key (organisation_id, team_id) references teams (organisation_id, id) on delete cascade
    )`.execute(database)
  await secureTenantTable(database, 'invitation_teams')
}

const permissions: readonly (readonly [slug: string, name: string, description: string])[] = [
  ['users:read', 'Read users', 'List users and read their details, sessions and the permission catalogue'],
  ['users:create', 'Create users', 'Create users and choose their roles and teams'],
  ['users:update', 'Update users', 'Change, block and unblock users, assign roles, end sessions, send password links'],
  ['users:delete', 'Delete users', 'Delete users'],
  ['roles:read', 'Read roles', 'List roles and the permissions they hold'],
  ['roles:create', 'Create roles', 'Create roles'],
  ['roles:update', 'Update roles', 'Change roles and their permissions'],
  ['roles:delete', 'Delete roles', 'Delete roles'],
  ['teams:read', 'Read teams', 'List teams and their members'],
  ['teams:create', 'Create teams', 'Create teams'],
  ['teams:update', 'Update teams', 'Change teams and their members'],
  ['teams:delete', 'Delete teams', 'Delete teams'],
  ['invitations:read', 'Read invitations', 'List invitations'],
  ['invitations:create', 'Invite users', 'Send and resend invitations'],
  ['invitations:delete', 'Cancel invitations', 'Cancel pending invitations'],
  ['organisation:read', 'Read the organisation', 'Read the settings of the organisation'],
  ['organisation:update', 'Update the organisation', 'Change the settings of the organisation'],
  ['organisation:delete', 'Delete the organisation', 'Delete the organisation; only its owner may'],
  ['organisation:manage', 'Manage the organisation', 'Manage the life cycle of the organisation'],
  ['clients:read', 'Read OAuth clients', 'List OAuth clients and explain refused requests'],
  ['clients:create', 'Create OAuth clients', 'Register OAuth clients'],
  ['clients:update', 'Update OAuth clients', 'Change and activate OAuth clients, rotate their secrets'],
  ['clients:delete', 'Delete OAuth clients', 'Revoke and delete OAuth clients'],
  ['webhooks:read', 'Read webhooks', 'List webhook endpoints and their deliveries'],
  ['webhooks:create', 'Create webhooks', 'Register webhook endpoints'],
  ['webhooks:update', 'Update webhooks', 'Change webhook endpoints, rotate secrets, send tests, replay deliveries'],
  ['webhooks:delete', 'Delete webhooks', 'Delete webhook endpoints'],
  ['api_keys:read', 'Read API keys', 'List API keys'],
  ['api_keys:create', 'Create API keys', 'Create API keys'],
  ['api_keys:delete', 'Delete API keys', 'Delete API keys'],
  ['audit:read', 'Read the audit log', 'Read and export the audit log'],
]
