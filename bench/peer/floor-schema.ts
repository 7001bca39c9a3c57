/** The minimum of rows and indexes for one-time codes, families that end, and revoked tokens. */
export const schema = `
  create table clients (id text primary key, secret_hash text not null, redirect_uri text not null, scopes text[] not null);
  create table users (
    id text primary key,
    name text not null,
    given_name text not null,
    family_name text not null,
    email text not null,
    email_verified boolean not null
  );
  create table sessions (token_hash text primary key, user_id text not null, expires_at timestamptz not null);
  create table codes (
    code_hash text primary key,
    client_id text not null,
    user_id text not null,
    family_id text not null,
    redirect_uri text not null,
    scope text not null,
    nonce text,
    challenge text not null,
    expires_at timestamptz not null,
    used_at timestamptz
  );
  create table families (
    id text primary key,
    client_id text not null,
    user_id text not null,
    scope text not null,
    token_hash text not null,
    expires_at timestamptz not null,
    revoked_at timestamptz
  ) with (fillfactor = 50);
  create table revoked_tokens (jti text primary key, expires_at timestamptz not null);`

const person = 'u.id as "userId", u.name, u.given_name, u.family_name, u.email, u.email_verified'

/** One statement for each read and each change. */
export const statements = {
  client: 'select secret_hash as "secretHash", scopes from clients where id = $1',
  authorization: `
    select c.redirect_uri as "redirectUri", s.user_id as "userId"
    from clients c, sessions s where c.id = $1 and s.token_hash = $2 and s.expires_at > $3`,
  insertCode: `
    insert into codes (code_hash, client_id, user_id, family_id, redirect_uri, scope, nonce, challenge, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  code: `
    select c.secret_hash as "secretHash", k.family_id as "familyId", k.redirect_uri as "redirectUri", k.scope, k.nonce, k.challenge,
      k.expires_at as "expiresAt", k.used_at as "usedAt", ${person}
    from clients c join codes k on k.client_id = c.id join users u on u.id = k.user_id
    where c.id = $1 and k.code_hash = $2`,
  claimCode: `
    with claimed as (
      update codes set used_at = $2::timestamptz where code_hash = $1 and used_at is null returning family_id, client_id, user_id, scope
    )
    insert into families (id, client_id, user_id, scope, token_hash, expires_at)
    select family_id, client_id, user_id, scope, $3, $4::timestamptz from claimed returning id`,
  refreshToken: `
    select c.secret_hash as "secretHash", f.token_hash as "tokenHash", f.scope, f.expires_at as "expiresAt", f.revoked_at as "revokedAt",
      ${person}
    from clients c join families f on f.client_id = c.id join users u on u.id = f.user_id
    where c.id = $1 and f.id = $2`,
  rotate: `
    update families set token_hash = $3, expires_at = $4::timestamptz
    where id = $1 and token_hash = $2 and revoked_at is null returning id`,
  introspection: `
    select c.secret_hash as "secretHash", f.revoked_at as "revokedAt", u.email,
      exists (select from revoked_tokens r where r.jti = $3) as "isRevoked"
    from clients c left join families f on f.id = $2 left join users u on u.id = f.user_id
    where c.id = $1`,
  userinfo: `
    select f.revoked_at as "revokedAt", exists (select from revoked_tokens r where r.jti = $2) as "isRevoked", ${person}
    from families f join users u on u.id = f.user_id
    where f.id = $1`,
  revoke: `
    with client as (select from clients where id = $1 and secret_hash = $2), revoked as (
      insert into revoked_tokens (jti, expires_at) select $3, $4::timestamptz from client on conflict do nothing
    )
    select from client`,
} as const
