import { expect, it } from 'vitest'
import { addDomain, publish, uniqueDomain, verifiedDomain } from '../support/domains.ts'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

it('a verified domain counts the accounts of other organisations in it, without their addresses; others count nothing', async () => {
  const [{ owner }, { owner: other, ...elsewhere }] = [await service().given.organisation(), await service().given.organisation()]
  const domain = uniqueDomain()
  const accountIn = (admin: typeof owner) => service().given.user(admin, { email: `user-${unique()}@${domain}` })
  const [first] = [await accountIn(other), await accountIn(other), await accountIn(owner)]
  await service().given.user(other, { email: `user-${unique()}@sub.${domain}` })

  const added = await addDomain(owner, { domain })
  expect(added).toMatchObject({ foreignAccounts: null })
  publish(service(), added)
  expect(await owner.post(`/v1/admin/domains/${added.id}/verify`)).toMatchObject({ body: { foreignAccounts: 2 } })
  expect(await owner.patch(`/v1/admin/domains/${added.id}`, {})).toMatchObject({ body: { foreignAccounts: 2 } })

  // A deleted account keeps its address, an erased one does not.
  expect(await other.delete(`/v1/admin/users/${first.id}`)).toMatchObject({ status: 204 })
  await verifiedDomain(service(), owner)
  const { body } = await owner.get('/v1/admin/domains?limit=10')
  expect(body.data).toMatchObject([{ id: added.id, foreignAccounts: 2 }, { foreignAccounts: 0 }])
  expect(JSON.stringify(body)).not.toContain(first.email)
  await service().operator.post(`/v1/system/organisations/${elsewhere.id}/users/${first.id}/erase`)
  expect((await owner.get('/v1/admin/domains')).body.data).toMatchObject([{ foreignAccounts: 1 }, { foreignAccounts: 0 }])
  expect(await service().operator.get(`/v1/system/domains/${added.id}/foreign-accounts`)).toMatchObject({ body: { total: 1 } })
})

it('the operator lists the accounts of other organisations in a domain', async () => {
  const [{ owner }, { owner: other, id: organisationId, name: organisationName }] = [
    await service().given.organisation(),
    await service().given.organisation(),
  ]
  const domain = uniqueDomain()
  const emails = [`one-${unique()}@${domain}`, `two-${unique()}@${domain}`]
  const accounts = []
  for (const email of emails) accounts.push(await service().given.user(other, { email }))
  const { id } = await verifiedDomain(service(), owner, { domain })
  await service().given.user(owner, { email: `own-${unique()}@${domain}` })

  const list = (query = '') => service().operator.get(`/v1/system/domains/${id}/foreign-accounts${query}`)
  const shown = accounts.map(({ id, email }) => ({ id, email, organisationId, organisationName, deletedAt: null }))
  expect(await list()).toMatchObject({ status: 200, body: { data: shown, total: 2 } })
  const { body: first } = await list('?limit=1')
  expect(first).toMatchObject({ data: [shown[0]], total: 2, nextCursor: expect.any(String) })
  const { body: second } = await list(`?limit=1&cursor=${first.nextCursor}`)
  expect(second).toMatchObject({ data: [shown[1]], total: 2, nextCursor: null })

  const unknown = await service().operator.get('/v1/system/domains/dom_none/foreign-accounts')
  expect(unknown).toMatchObject({ status: 404, body: { code: 'domain-not-found' } })
})
