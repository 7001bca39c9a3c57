import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { databaseOf } from '../../src/platform/database/apply-migrations.ts'
import { up } from '../../src/platform/database/migrations/0066-distinct-organisation-names.ts'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })

const path = '/v1/admin/organisation'
const taken = { status: 409, body: { code: 'organisation-name-taken' } }

describe('the name of an organisation', () => {
  it('reserves every name that looks the same', async () => {
    const name = `Acme office ${unique()}`
    const { owner } = await service().given.organisation()
    expect(await owner.patch(path, { name })).toMatchObject({ status: 200 })
    const other = await service().given.organisation()
    const alike = [
      name,
      name.replace('Acme', 'Ac\u200dme'),
      name.replace('Acme', 'Acme\u00ad'),
      name.replace('Acme', 'A\u034fcme\ufe0f'),
      name.replace('Acme', 'Acme\u{e0041}'),
      name.replace('Acme', 'Ａｃｍｅ'),
      name.replace('ffi', 'ﬃ'),
      name.replace(' ', '\u00a0'),
      name.replace(' ', '\u2003 '),
      `${name}\u3164`,
      `\u2800${name}`,
    ]
    for (const one of alike) {
      expect([one, await other.owner.patch(path, { name: one })]).toMatchObject([one, taken])
      const slug = `alike-${unique()}`
      const created = await service().operator.post('/v1/organisations', {
        name: one,
        slug,
        email: `${slug}@a.test`,
        ownerEmail: `o@${slug}.test`,
      })
      expect([one, created]).toMatchObject([one, taken])
    }
    expect((await other.owner.get(path)).body.name).toBe(other.name)
    expect((await service().operator.get(`/v1/system/organisations?q=${encodeURIComponent(name)}`)).body.total).toBe(1)
    // The visible text differs.
    for (const one of [name.toLowerCase(), `${name}s`, name.replace('A', 'Á')])
      expect([one, await other.owner.patch(path, { name: one })]).toMatchObject([one, { status: 200, body: { name: one } }])
  })

  it('may be respelled by the organisation itself, and is shown as it was written', async () => {
    const { owner } = await service().given.organisation()
    const name = `Ａcme ${unique()}`
    expect(await owner.patch(path, { name })).toMatchObject({ status: 200, body: { name } })
    const record = await owner.patch(path, { name: name.replace('Ａ', 'A') })
    expect(record).toMatchObject({ status: 200, body: { name: name.replace('Ａ', 'A') } })
    expect(record.body).not.toHaveProperty('distinctName')
    expect(record.body).not.toHaveProperty('looksLikeAnother')
  })

  it('stays with organisations whose names already looked alike, until they choose another', async () => {
    const [first, second, third] = [
      await service().given.organisation(),
      await service().given.organisation(),
      await service().given.organisation(),
    ]
    const name = `Alike ${unique()}`
    await service().engine.ownerTransaction(async (transaction) => {
      const database = databaseOf(transaction)
      await sql`alter table organisations drop column distinct_name, drop column looks_like_another`.execute(database)
      for (const [{ id }, alike] of [
        [first, name],
        [second, `${name}\u200b`],
        [third, `${name}\u2060`],
      ] as const)
        await sql`update organisations set name = ${alike} where id = ${id}`.execute(database)
    })
    await service().engine.ownerTransaction((transaction) => up(databaseOf(transaction)))

    const names = async () => [first, second, third].map(async ({ owner }) => (await owner.get(path)).body.name)
    expect(await Promise.all(await names())).toEqual([name, `${name}\u200b`, `${name}\u2060`])
    // Organisations may keep such names, and new names must still differ from the first.
    expect(await second.owner.patch(path, { phone: '+44 20 7946 0000' })).toMatchObject({ status: 200 })
    expect(await first.owner.patch(path, { name })).toMatchObject({ status: 200 })
    expect(await third.owner.patch(path, { name: `${name}\u200c` })).toMatchObject(taken)
    expect(await third.owner.patch(path, { name: `Other ${name}` })).toMatchObject({ status: 200 })
    expect(await second.owner.patch(path, { name: `Other\u00ad ${name}` })).toMatchObject(taken)
    expect(await third.owner.patch(path, { name: `${name}\u200c` })).toMatchObject(taken)
    expect(await second.owner.patch(path, { name: `Second ${name}` })).toMatchObject({ status: 200 })
  })
})
