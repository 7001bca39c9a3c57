import { beforeAll, describe, expect, it } from 'vitest'
import { addDomain } from '../support/domains.ts'
import type { Answer, HttpClient } from '../support/http-client.ts'
import { givenApplication } from '../support/oauth.ts'
import { useService } from '../support/service.ts'
import { type DescribedRoute, describedRoutes, fieldsOf, jsonSchemaOf } from './described.ts'
import { fillLists, listOfOne, pathOf, takesCursor } from './filled-lists.ts'
import { endpoint, type World, worldOf } from './world.ts'

const service = useService()

/** A list with at least two records, and the cursor that follows its first one. */
interface List {
  name: string
  path: string
  parameters: NonNullable<DescribedRoute['operation']['parameters']>
  cursor: string
}

describe('a cursor', () => {
  let routes: DescribedRoute[]
  let world: World
  let stranger: World
  let colleague: HttpClient
  let lists: List[]
  let idsOfStranger: Record<string, string>

  const callerOf = (path: string, { owner, operator }: World): HttpClient => (path.startsWith('/v1/system/') ? operator : owner)

  const ask = ({ path, cursor }: { path: string; cursor: string }, query: Record<string, string> = {}, by = callerOf(path, world)) =>
    by.get(`${path}?${new URLSearchParams({ limit: '1', ...query, cursor })}`)

  const refusals: string[] = []
  /** Records what is wrong with a response that has to be the refusal of a cursor. */
  const expectRefusal = (what: string, { status, body }: Answer) => {
    const [mistake, ...others] = body?.errors ?? []
    const isRefusal = status === 400 && body.detail === 'Invalid input' && others.length === 0
    const expected = { code: 'custom', path: ['cursor'], message: 'Invalid cursor', reason: 'invalid-cursor' }
    if (!isRefusal || JSON.stringify(mistake) !== JSON.stringify(expected)) refusals.push(`${what}: ${status} ${JSON.stringify(body)}`)
  }

  beforeAll(async () => {
    routes = (await describedRoutes(service().anonymous)).filter(takesCursor)
    world = await worldOf(service())
    stranger = await worldOf(service())
    const ids = await fillLists(world)
    idsOfStranger = {
      users: stranger.owner.id,
      teams: 'tem_1',
      webhooks: await endpoint(stranger),
      domains: (await addDomain(stranger.owner)).id,
      clients: (await givenApplication(world.service, { organisation: stranger.organisation })).id,
    }
    const { id: roleId } = (await world.owner.get('/v1/admin/roles?q=owner')).body.data[0]
    const user = await world.given.user(world.owner, { roleIds: [roleId] })
    colleague = await world.given.signIn(user.email)
    const read = async ({ name, path, operation }: DescribedRoute): Promise<List> => {
      const filled = pathOf(path, ids)
      const first = await callerOf(path, world).get(`${filled}?limit=1`)
      expect([name, first]).toMatchObject([name, { status: 200, body: { data: [expect.anything()], nextCursor: expect.any(String) } }])
      return { name, path: filled, parameters: operation.parameters ?? [], cursor: first.body.nextCursor }
    }
    lists = await Promise.all(routes.filter(({ method }) => method === 'GET').map(read))
    expect(lists.length).toBeGreaterThan(25)
  })

  it('is taken by every list that is counted', async () => {
    const isCounted = ({ method, operation }: DescribedRoute) => {
      const shown = fieldsOf(jsonSchemaOf(operation.responses['200']))
      return method === 'GET' && shown.includes('data') && shown.includes('total')
    }
    const counted = (await describedRoutes(service().anonymous)).filter(isCounted)
    expect(counted.length).toBeGreaterThan(25)
    expect(counted.filter((route) => !takesCursor(route)).map(({ name }) => name)).toEqual([listOfOne])
  })

  it('is refused by a list of at most one record, which begins with its last page', async () => {
    const { organisation, owner, operator } = world
    const path = `/v1/system/organisations/${organisation.id}/users?email=${owner.email}`
    expect(await operator.get(`${path}&limit=1`)).toMatchObject({
      status: 200,
      body: { data: [{ id: owner.id }], total: 1, nextCursor: null },
    })
    for (const { name, cursor } of lists)
      expectRefusal(`${listOfOne} by the cursor of ${name}`, await operator.get(`${path}&cursor=${cursor}`))
    expect(refusals.splice(0)).toEqual([])
  })

  it('leads to the next page of its list, with any limit, by GET and HEAD', async () => {
    for (const list of lists) {
      const first = await callerOf(list.path, world).get(`${list.path}?limit=1`)
      for (const limit of ['1', '2']) {
        const next = await ask(list, { limit })
        expect([list.name, next.status]).toEqual([list.name, 200])
        expect(next.body.data[0]).not.toEqual(first.body.data[0])
      }
      const head = await callerOf(list.path, world).request('HEAD', `${list.path}?limit=1&cursor=${list.cursor}`)
      expect([list.name, head.status]).toEqual([list.name, 200])
    }
  })

  it('is refused by every other list', async () => {
    for (const list of lists) {
      const others = lists.filter(({ path }) => path !== list.path)
      await Promise.all(
        others.map(async ({ name, cursor }) =>
          expectRefusal(`${list.name} by the cursor of ${name}`, await ask({ path: list.path, cursor })),
        ),
      )
    }
    for (const { path, name } of routes.filter(({ method }) => method !== 'GET')) {
      const filled = pathOf(path, { webhooks: await endpoint(world) })
      const body = { from: '2026-01-01T00:00:00.000Z' }
      for (const { cursor, name: of } of lists) {
        expectRefusal(`${name} by the cursor of ${of}`, await world.owner.post(filled, { ...body, cursor }))
      }
    }
    expect(refusals.splice(0)).toEqual([])
  })

  it('is refused by the same list of another organisation or another user, and of another record', async () => {
    for (const { name, path, cursor } of lists.filter((list) => !list.path.startsWith('/v1/system/'))) {
      expectRefusal(`${name} of another organisation`, await ask({ path, cursor }, {}, stranger.owner))
      if (path.startsWith('/v1/me/')) expectRefusal(`${name} of a colleague`, await ask({ path, cursor }, {}, colleague))
      else if (!/_\w+/.test(path)) expect([name, (await ask({ path, cursor }, {}, colleague)).status]).toEqual([name, 200])
    }
    for (const { name, path } of routes.filter((route) => route.path.includes('{id}') && route.method === 'GET')) {
      const { cursor = '' } = lists.find((list) => list.name === name) ?? {}
      expectRefusal(`${name} of another record`, await ask({ path: pathOf(path, idsOfStranger), cursor }))
    }
    expect(refusals.splice(0)).toEqual([])
  })

  it('is refused in another order and with other filters', async () => {
    let asked = 0
    for (const list of lists) {
      for (const { name, schema } of list.parameters.filter((parameter) => parameter.in === 'query')) {
        if (name === 'limit' || name === 'cursor') continue
        const others = schema.enum?.filter((value) => value !== schema.default && String(value) !== 'false')
        for (const value of others ?? [schema.example].flat()) {
          asked++
          expectRefusal(`${list.name} with ${name}=${value}`, await ask(list, { [name]: String(value) }))
        }
      }
    }
    expect(refusals.splice(0)).toEqual([])
    expect(asked).toBeGreaterThan(40)
  })

  it('is refused when it was cut, lengthened, altered or invented', async () => {
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const next = (digit: string) => digits[(digits.indexOf(digit) + 1) % 64] ?? ''
    const positions = ['name', 'users', '["name","a","usr_1"]', '2026-01-31T09:30:00.000Z ses_1', '\0'].map((position) =>
      Buffer.from(position).toString('base64url'),
    )
    for (const list of lists) {
      const { cursor } = list
      const [position = '', seal = ''] = cursor.split('.')
      const cuts = [1, Math.floor(cursor.length / 2), cursor.length - 1].flatMap((at) => [cursor.slice(0, at), cursor.slice(at)])
      const altered = [0, position.length - 1, position.length + 1, cursor.length - 2].map(
        (at) => cursor.slice(0, at) + next(cursor[at] ?? '') + cursor.slice(at + 1),
      )
      const lengthened = [`${cursor}A`, `${cursor}.`, `${cursor}.${seal}`, `A${cursor}`, `${cursor}=`]
      const invented = positions.flatMap((one) => [one, `${one}.`, `${one}.${seal}`])
      const all = [...cuts, ...altered, ...lengthened, ...invented, '', '.', seal, `.${seal}`, `${position}.`, position]
      await Promise.all(all.map(async (one) => expectRefusal(`${list.name} by ${one}`, await ask({ path: list.path, cursor: one }))))
    }
    expect(refusals.splice(0)).toEqual([])
  })
})
