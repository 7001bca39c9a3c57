import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiDescription } from '../../src/isolation/routes.ts'
import { freshEngine } from '../support/database.ts'
import type { TestOrganisation } from '../support/given.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Those that read no table. */
const ofTheProgram = ['listEvents', 'listAuditActions']

let engine: RecordingEngine
let service: TestService
let organisation: TestOrganisation
/** The statements that a replica would be asked. */
const listReads: string[] = []

beforeAll(async () => {
  const database = await freshEngine()
  engine = recordingEngine({
    ...database,
    listRead(query, setUp) {
      listReads.push(query.sql)
      return database.execute(query, setUp)
    },
  })
  service = await startTestService({ engine })
  organisation = await service.given.organisation()
})
afterAll(() => service?.stop())

/** The addresses of all lists and exports, each with a record of its own where it names one. */
async function listAddresses(): Promise<{ operationId: string; path: string }[]> {
  const { owner, id } = organisation
  const { body: description } = await service.anonymous.get('/openapi.json')
  const { paths } = description as ApiDescription
  const { body: team } = await owner.post('/v1/admin/teams', { name: 'Team', slug: 'team' })
  const { body: webhook } = await owner.post('/v1/admin/webhooks', { url: 'https://receiver.test/', events: ['user.created'] })
  const { body: domain } = await owner.post('/v1/admin/domains', { domain: 'replica.example' })
  const { body: directory } = await owner.post('/v1/admin/directories', { name: 'Entra ID' })
  const { body: client } = await owner.post('/v1/admin/clients', {
    name: 'Portal',
    clientType: 'confidential',
    grantTypes: ['client_credentials'],
  })
  const ids: Record<string, string> = {
    clients: client.id,
    users: owner.id,
    teams: team.id,
    webhooks: webhook.id,
    organisations: id,
    domains: domain.id,
    directories: directory.id,
  }
  return Object.entries(paths as Record<string, { get?: { operationId: string } }>).flatMap(([path, { get }]) => {
    if (!get || !/^(list|export|search)/.test(get.operationId) || ofTheProgram.includes(get.operationId)) return []
    const address = path.replace(/\/(\w+)\/\{\w+\}/g, (_, collection: string) => `/${collection}/${ids[collection]}`)
    return [{ operationId: get.operationId, path: get.operationId === 'search' ? `${address}?q=team` : address }]
  })
}

describe('a replica', () => {
  it('is what every list and every export is read from, and nothing of them from the primary', async () => {
    const addresses = await listAddresses()
    expect(addresses.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['listUsers', 'listDeliveries', 'listSigningKeys', 'listOwnSessions', 'exportUsers', 'exportOrganisation']),
    )
    // The first export of a configuration stores the keys that it hands out.
    expect((await organisation.owner.get('/v1/admin/configuration')).status).toBe(200)
    for (const { operationId, path } of addresses) {
      listReads.length = 0
      engine.statements.length = 0
      const caller = path.startsWith('/v1/system') ? service.operator : organisation.owner
      expect([operationId, (await caller.get(path)).status]).toEqual([operationId, 200])

      expect([operationId, listReads.length > 0]).toEqual([operationId, true])
      // What comes without a set-up, finds the caller.
      const ofPrimary = engine.statements.filter(({ ofRequest, setUp }) => ofRequest && (setUp || caller === service.operator))
      // The export of an organisation leaves an audit entry first.
      if (operationId !== 'exportOrganisation') expect([operationId, ofPrimary.map(({ query }) => query.sql)]).toEqual([operationId, []])
    }
  })

  it('is what small pages are read from as well', async () => {
    listReads.length = 0
    expect((await organisation.owner.get('/v1/admin/teams?limit=10')).status).toBe(200)
    expect(listReads.length).toBeGreaterThan(0)
  })
})
