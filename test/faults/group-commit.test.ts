import { CompiledQuery } from 'kysely'
import { describe, expect, it } from 'vitest'
import { useService } from '../support/service.ts'

const service = useService()

const revoke = (organisationId: string, jti: string) =>
  service().engine.keyedWrite<{ jti: string }>(
    CompiledQuery.raw(
      'insert into revoked_access_tokens (organisation_id, jti, expires_at) values ($1, $2, now()) on conflict do nothing returning jti',
      [organisationId, jti],
    ),
    `${organisationId} ${jti}`,
  )
const revokedOf = async (organisationId: string) => {
  const rows = await service().database.tenant(organisationId).selectFrom('revokedAccessTokens').select('jti').orderBy('jti').execute()
  return rows.map(({ jti }) => jti)
}

describe('keyed writes that share a commit', () => {
  it('each return their own result, also when two change the same row', async () => {
    const [one, other] = await Promise.all([service().given.organisation(), service().given.organisation()])

    const answers = await Promise.all([revoke(one.id, 'b'), revoke(other.id, 'a'), revoke(one.id, 'a'), revoke(one.id, 'b')])

    const rows = answers.map((answer) => answer.rows)
    expect(rows.slice(1, 3)).toEqual([[{ jti: 'a' }], [{ jti: 'a' }]])
    expect([rows[0], rows[3]]).toEqual(expect.arrayContaining([[{ jti: 'b' }], []]))
    expect(await revokedOf(one.id)).toEqual(['a', 'b'])
    expect(await revokedOf(other.id)).toEqual(['a'])
  })

  it('all succeed except the one that fails, which fails with its own error', async () => {
    const { id } = await service().given.organisation()

    const outcomes = await Promise.allSettled([revoke(id, 'a'), revoke('org_unknown', 'b'), revoke(id, 'c')])

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: { code: '23503', constraint: 'revoked_access_tokens_organisation_id_fkey' } })
    expect(await revokedOf(id)).toEqual(['a', 'c'])
    expect(await revokedOf('org_unknown')).toEqual([])
  })

  it('succeed also when many change the same rows in different orders', async () => {
    const { id } = await service().given.organisation()
    const names = Array.from({ length: 40 }, (_, index) => `t${String(index).padStart(2, '0')}`)

    const answers = await Promise.all([...names, ...names.toReversed()].map((name) => revoke(id, name)))

    expect(answers.flatMap(({ rows }) => rows.map(({ jti }) => jti)).sort()).toEqual(names)
    expect(await revokedOf(id)).toEqual(names)
  })
})
