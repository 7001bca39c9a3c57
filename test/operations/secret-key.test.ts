import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createKeyring } from '../../src/platform/crypto/keyring.ts'
import { countSecretsUnder, encryptedColumns, reEncryptSecrets } from '../../src/system/re-encrypt-secrets.ts'
import { useService } from '../support/service.ts'

const oldKey = randomBytes(32)
const newKey = randomBytes(32)
const service = useService({ secretKey: oldKey })

/** Every long-lived secret that is encrypted at rest, with its context. */
async function encrypted(): Promise<{ id: string; secret: string }[]> {
  const found = await Promise.all(
    encryptedColumns.map(({ table, column }) =>
      sql<{ id: string; secret: string }>`
        select id, ${sql.ref(column)} as secret from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
        service().database.system(),
      ),
    ),
  )
  return found.flatMap(({ rows }) => rows)
}

describe('a change of SECRET_KEY', () => {
  it('re-encrypts every secret with the new key, and changes none', async () => {
    const { owner } = await service().given.organisation()
    const { body: endpoint } = await owner.post('/v1/admin/webhooks', { url: 'https://hooks.test/', events: ['*'] })
    const { body: enrolment } = await owner.post('/v1/me/mfa/enable')
    const keyring = service().services.keyring
    const idTokenEncrypted = keyring.encrypt('an ID token of an identity provider', owner.sessionId)
    await service().database.system().updateTable('sessions').set({ idTokenEncrypted }).where('id', '=', owner.sessionId).execute()
    const counts: number[] = []
    const task = reEncryptSecrets({ keyring: createKeyring(newKey, oldKey), onReEncrypted: (count) => counts.push(count) })

    while (await task.run(service().database)) {
      // One more batch.
    }

    const withoutTheOld = createKeyring(newKey)
    const secrets = (await encrypted()).map(({ id, secret }) => withoutTheOld.decrypt(secret, id))
    expect(secrets).toContain(endpoint.secret)
    expect(secrets).toContain(enrolment.secret)
    expect(secrets).toContain('an ID token of an identity provider')
    expect(secrets.some((secret) => secret.includes('PRIVATE KEY'))).toBe(true)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(3)
  })

  it('reaches every other secret when one cannot be read', async () => {
    const { owner } = await service().given.organisation()
    const { body: endpoint } = await owner.post('/v1/admin/webhooks', { url: 'https://hooks.test/', events: ['*'] })
    const endpoints = service().database.system().updateTable('webhookEndpoints')
    const present = createKeyring(newKey)
    const idTokenEncrypted = present.encrypt('an ID token', owner.sessionId)
    await service().database.system().updateTable('sessions').set({ idTokenEncrypted }).where('id', '=', owner.sessionId).execute()
    await endpoints
      .set({ secretEncrypted: `${present.keyId}.unreadable` })
      .where('id', '=', endpoint.id)
      .execute()

    const next = createKeyring(randomBytes(32), newKey)
    await expect(reEncryptSecrets({ keyring: next, onReEncrypted: () => {} }).run(service().database)).rejects.toThrow(endpoint.id)
    expect(await countSecretsUnder(service().database, present.keyId)).toBe(1)
    await endpoints
      .set({ secretEncrypted: next.encrypt('a secret', endpoint.id) })
      .where('id', '=', endpoint.id)
      .execute()
  })

  it('does nothing without a previous key', async () => {
    const before = await encrypted()

    expect(await reEncryptSecrets({ keyring: createKeyring(newKey), onReEncrypted: () => {} }).run(service().database)).toBe(false)
    expect(await encrypted()).toEqual(before)
  })

  it('covers every encrypted column', async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = current_schema() and column_name like '%\\_encrypted'`.execute(service().database.system())

    // The response to a refresh is stored for at most a minute, a sign-in at an identity provider for ten. The previous key is
    // available for longer.
    const shortLived = [
      'refresh_answers.answer_encrypted',
      'federation_requests.verifier_encrypted',
      'federation_requests.response_encrypted',
    ]
    const all = rows.map(({ table, column }) => `${table}.${column}`)
    expect(all.filter((name) => !shortLived.includes(name)).sort()).toEqual(
      encryptedColumns.map(({ table, column }) => `${table}.${column}`).sort(),
    )
  })
})
