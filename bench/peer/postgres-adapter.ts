import type { Adapter, AdapterPayload } from 'oidc-provider'
import type pg from 'pg'

/** One table for all models, as in oidc-provider's own examples. Every statement is named and prepared. */
export const schema = `
  create table if not exists oidc_models (
    type text not null,
    id text not null,
    payload jsonb not null,
    grant_id text,
    uid text,
    consumed_at timestamptz,
    expires_at timestamptz,
    primary key (type, id)
  );
  create index if not exists oidc_models_grant on oidc_models (grant_id);
  create index if not exists oidc_models_uid on oidc_models (uid);
  create table if not exists accounts (
    id text primary key,
    name text not null,
    given_name text not null,
    family_name text not null,
    email text not null,
    email_verified boolean not null
  );`

export async function insertAccount(pool: pg.Pool, id: string): Promise<void> {
  await pool.query("insert into accounts values ($1, 'Bench User', 'Bench', 'User', 'bench@example.test', true)", [id])
}

/** The claims of an account. */
export async function findAccount(pool: pg.Pool, id: string): Promise<Record<string, string | boolean> | undefined> {
  const { rows } = await pool.query({
    name: 'account',
    text: 'select name, given_name, family_name, email, email_verified from accounts where id = $1',
    values: [id],
  })
  return rows[0]
}

/** oidc-provider's storage on the PostgreSQL of the benchmark. */
export const postgresAdapter = (pool: pg.Pool) =>
  class implements Adapter {
    readonly #type: string

    constructor(type: string) {
      this.#type = type
    }

    async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
      await pool.query({
        name: 'upsert',
        text: `insert into oidc_models (type, id, payload, grant_id, uid, expires_at)
          values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
          on conflict (type, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
            uid = excluded.uid, expires_at = excluded.expires_at`,
        values: [this.#type, id, JSON.stringify(payload), payload.grantId ?? null, payload.uid ?? null, expiresIn ?? null],
      })
    }

    async find(id: string): Promise<AdapterPayload | undefined> {
      return this.#first('find', 'type = $1 and id = $2', id)
    }

    async findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return this.#first('find-by-uid', 'type = $1 and uid = $2', uid)
    }

    async findByUserCode(): Promise<undefined> {
      return undefined
    }

    async consume(id: string): Promise<void> {
      await pool.query({
        name: 'consume',
        text: 'update oidc_models set consumed_at = now() where type = $1 and id = $2',
        values: [this.#type, id],
      })
    }

    async destroy(id: string): Promise<void> {
      await pool.query({ name: 'destroy', text: 'delete from oidc_models where type = $1 and id = $2', values: [this.#type, id] })
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      await pool.query({
        name: 'revoke-by-grant',
        text: 'delete from oidc_models where grant_id = $1 and type = $2',
        values: [grantId, this.#type],
      })
    }

    async #first(name: string, condition: string, key: string): Promise<AdapterPayload | undefined> {
      const { rows } = await pool.query({
        name,
        text: `select payload, extract(epoch from consumed_at)::int as consumed from oidc_models
          where ${condition} and (expires_at is null or expires_at > now())`,
        values: [this.#type, key],
      })
      const row = rows[0]
      return row && { ...row.payload, ...(row.consumed && { consumed: row.consumed }) }
    }
  }
