import { describe, expect, it } from 'vitest'
import type { TestOrganisation } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { useService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'
import { endpoints } from './contract.ts'

const service = useService()
const reads = endpoints.filter(({ name }) => name.startsWith('GET '))

/** Fields that the documents show only in one of the responses, or in each record of a list. */
const notInThisAnswer = new Set(['nextCursor'])

/** The record of a path: the organisation gets one of each kind before the read. */
async function pathFor(name: string, { id: organisationId, owner }: TestOrganisation): Promise<string> {
  const path = name.split(' ')[1] as string
  const made = async (collection: string, body: object): Promise<string> => (await owner.post(collection, body)).body.id
  const fill = (id: string) => path.replace('{id}', id)
  if (path === '/v1/auth/password/reset') {
    const { email } = await service().given.user(owner)
    await service().anonymous.post('/v1/auth/password/forgot', { email })
    return `${path}?token=${await service().mailbox.tokenTo(email, 'password')}`
  }
  if (!path.includes('{id}')) return path
  if (path === '/v1/system/organisations/{id}/users') return `${fill(organisationId)}?email=${owner.email}`
  if (path.startsWith('/v1/system/organisations/')) return fill(organisationId)
  if (path.startsWith('/v1/admin/users/')) return fill((await service().given.user(owner)).id)
  if (path.startsWith('/v1/admin/roles/')) return fill((await service().given.role(owner)).id)
  if (path.startsWith('/v1/admin/teams/')) return fill(await made('/v1/admin/teams', { name: 'Support', slug: 'support' }))
  if (path.startsWith('/v1/admin/invitations/')) {
    const { id: roleId } = await service().given.role(owner)
    return fill(await made('/v1/admin/invitations', { email: `invited@${organisationId}.test`.replaceAll('_', '-'), roleId }))
  }
  if (path.startsWith('/v1/admin/clients/')) {
    return fill(await made('/v1/admin/clients', { name: 'Portal', clientType: 'public', redirectUris: ['https://portal.test/callback'] }))
  }
  const { id } = await createEndpoint(owner, { url: 'https://hooks.example.test/', events: ['role.created'] })
  await service().given.role(owner)
  const deliveries = await owner.get(`/v1/admin/webhooks/${id}/deliveries`)
  return fill(id).replace('{deliveryId}', deliveries.body.data[0].id)
}

function callerOf(access: string, { owner }: TestOrganisation): HttpClient {
  if (access === 'system') return service().operator
  return access === 'public' ? service().anonymous : owner
}

describe('every read', () => {
  it.each(reads)('responds with its status and fields: $name', async ({ name, access, success, response }) => {
    const organisation = await service().given.organisation()

    const answer = await callerOf(access, organisation).get(await pathFor(name, organisation))

    expect(answer.status, JSON.stringify(answer.body)).toBe(success)
    for (const field of response) if (!notInThisAnswer.has(field)) expect(answer.body).toHaveProperty(field)
  })

  it.each(reads)('records nothing for HEAD: $name', async ({ name, access }) => {
    const organisation = await service().given.organisation()
    const path = await pathFor(name, organisation)
    const entries = service().database.tenant(organisation.id).selectFrom('auditLogs').select('action')
    const before = (await entries.execute()).length

    const answer = await callerOf(access, organisation).request('HEAD', path)

    expect(answer.status).not.toBe(500)
    if (answer.status === 405) expect(answer.headers.get('allow')).toContain('GET')
    expect(await entries.execute()).toHaveLength(before)
  })
})
