import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describedRoutes } from '../http/described.ts'
import { mutations } from '../http/mutations.ts'
import { type World, worldOf } from '../http/world.ts'
import { freshEngine } from '../support/database.ts'
import type { Answer } from '../support/http-client.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

let engine: RecordingEngine
let service: TestService
let routes: ReadonlySet<string>
beforeAll(async () => {
  engine = recordingEngine(await freshEngine())
  service = await startTestService({ engine, environment: { OAUTH_EXTENSIONS: 'federated_credentials,backchannel_logout' } })
  routes = new Set((await describedRoutes(service.anonymous)).map(({ name }) => name))
})
afterAll(() => service?.stop())

/** Changes that an administrator makes although they may not any more, with the reason. */
const regardless: Record<string, string> = {
  'POST /v1/admin/sign-in-checks': 'a question, whose entry says that it was asked',
  'POST /v1/admin/assertion-checks': 'a question, whose entry says that it was asked',
}

/** Changes that take no permission which the owner has by a role alone. */
const withoutRole: Record<string, string> = {
  'POST /v1/admin/organisation/transfer-ownership': 'for the owner, whatever their roles',
}

const changes = Object.entries(mutations).filter(
  ([name, { leaves }]) => name.includes(' /v1/admin/') && leaves !== undefined && !(name in regardless),
)

/** Sends the request of a change, and lets something happen to its sender before the first statement of its first transaction. */
async function meanwhile(name: string, happens: (world: World) => Promise<unknown>): Promise<{ answer: Answer; actions: string[] }> {
  const world = await worldOf(service)
  const { path, body } = (await mutations[name]?.request(world)) ?? { path: '' }
  const entries = () => world.service.database.tenant(world.organisation.id).selectFrom('auditLogs').select(['id', 'action']).execute()
  const before = new Set((await entries()).map(({ id }) => id))
  const release = engine.holdBack('', { ofRequests: true, firstOnly: true, inTransactions: true })
  const answer = world.owner.request(name.split(' ')[0] as string, path, { body })
  await Promise.race([release.reached, answer])
  await happens(world)
  release()
  return { answer: await answer, actions: (await entries()).flatMap(({ id, action }) => (before.has(id) ? [] : [action])) }
}

describe('a change by an administrator', () => {
  it.each(changes)('is not made by one who was blocked while it waited: %s', async (name) => {
    if (!routes.has(name)) return
    const { answer, actions } = await meanwhile(name, ({ organisation, owner }) =>
      sql`update users set blocked_at = now() where organisation_id = ${organisation.id} and id = ${owner.id}`.execute(
        service.database.system(),
      ),
    )

    expect(answer).toMatchObject({ status: 401 })
    expect(actions).toEqual([])
  })

  it.each(changes.filter(([name]) => !(name in withoutRole)))(
    'is not made by one who lost the right to it while it waited: %s',
    async (name) => {
      if (!routes.has(name)) return
      const { answer, actions } = await meanwhile(name, ({ organisation, owner }) =>
        sql`delete from user_roles where organisation_id = ${organisation.id} and user_id = ${owner.id}`.execute(service.database.system()),
      )

      expect(answer).toMatchObject({ status: 403 })
      expect(actions).toEqual([])
    },
  )
})
