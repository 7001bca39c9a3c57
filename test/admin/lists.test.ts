import { describe, expect, it } from 'vitest'
import { type SignedInUser, unique } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const service = useService()

async function givenPeople(owner: SignedInUser, ...names: [firstName: string, lastName: string][]): Promise<void> {
  for (const [firstName, lastName] of names) await service().given.user(owner, { firstName, lastName })
}

const namesIn = ({ body }: Answer): string[] => body.data.map(({ name }: { name: string }) => name)

/** All pages of a list, one after the other. */
async function walk(owner: SignedInUser, path: string, query: string): Promise<Answer['body'][]> {
  const records = []
  let cursor = ''
  do {
    const { status, body } = await owner.get(`${path}?${query}${cursor && `&cursor=${cursor}`}`)
    expect(status).toBe(200)
    records.push(...body.data)
    cursor = body.nextCursor
  } while (cursor)
  return records
}

describe('a list', () => {
  it('has the form of the specification when no parameters are sent', async () => {
    const { owner } = await service().given.organisation()
    await givenPeople(owner, ['Carol', 'Shaw'], ['Bob', 'Adams'])

    const { body } = await owner.get('/v1/admin/users')

    expect(Object.keys(body)).toEqual(['data', 'total'])
    expect(body.total).toBe(3)
    expect(body.data.slice(1)).toMatchObject([{ name: 'Carol Shaw' }, { name: 'Bob Adams' }])
  })

  it('returns every record once, in every order, also when many share a key', async () => {
    const { owner } = await service().given.organisation()
    await givenPeople(owner, ['Same', 'Name'], ['Same', 'Name'], ['same', 'name'], ['Zoe', 'Z'], ['Abe', 'A'])
    const all = (await owner.get('/v1/admin/users')).body.data.map(({ id }: { id: string }) => id)

    for (const sort of ['createdAt', 'name', 'email', 'lastLoginAt']) {
      const forth = (await walk(owner, '/v1/admin/users', `sort=${sort}&limit=2`)).map(({ id }) => id)
      const back = (await walk(owner, '/v1/admin/users', `sort=-${sort}&limit=2`)).map(({ id }) => id)
      expect(forth.toSorted()).toEqual(all.toSorted())
      expect(back).toEqual(forth.toReversed())
    }
  })

  it('is sorted without regard to letter case', async () => {
    const { owner } = await service().given.organisation()
    const prefix = unique()
    for (const name of ['b', 'A', 'C']) await service().given.role(owner, { name: `${prefix} ${name}` })

    expect(namesIn(await owner.get(`/v1/admin/roles?q=${prefix}&sort=name`))).toEqual([`${prefix} A`, `${prefix} b`, `${prefix} C`])
    expect(namesIn(await owner.get(`/v1/admin/roles?q=${prefix}&sort=-name`))).toEqual([`${prefix} C`, `${prefix} b`, `${prefix} A`])
  })

  it('sorts users who never signed in before all others by the last sign-in', async () => {
    const { owner } = await service().given.organisation()
    await givenPeople(owner, ['Never', 'Here'])

    const { body } = await owner.get('/v1/admin/users?sort=lastLoginAt')

    expect(body.data).toMatchObject([{ lastLoginAt: null }, { id: owner.id }])
  })

  it('counts the matches of q, with pages and without', async () => {
    const { owner } = await service().given.organisation()
    await givenPeople(owner, ['Carol', 'Shaw'], ['Carla', 'Bruni'], ['Dan', 'Carson'])

    expect((await owner.get('/v1/admin/users?q=CAR')).body).toMatchObject({ total: 3, data: [{}, {}, {}] })
    const page = (await owner.get('/v1/admin/users?q=car&limit=2')).body
    expect(page).toMatchObject({ total: 3, data: [{ name: 'Carol Shaw' }, { name: 'Carla Bruni' }] })
    expect((await owner.get(`/v1/admin/users?q=car&limit=2&cursor=${page.nextCursor}`)).body).toMatchObject({
      data: [{ name: 'Dan Carson' }],
      nextCursor: null,
    })
    expect((await owner.get('/v1/admin/users?q=nobody')).body).toEqual({ data: [], total: 0 })
  })

  it('is complete and in order also when it is too long to be sent in one piece', async () => {
    const { owner, id } = await service().given.organisation()
    const tenant = service().database.tenant(id)
    const numbers = Array.from({ length: 1_234 }, (_, index) => String(index).padStart(4, '0'))
    const times = { createdAt: tenant.now, updatedAt: tenant.now }
    await tenant
      .insertInto('teams')
      .values(
        numbers.map((number) => ({
          id: `tem_${number}`,
          name: `${Number(number) % 2 ? 'Odd' : 'even'} ${number}`,
          slug: `s-${number}`,
          ...times,
        })),
      )
      .execute()

    const all = (await owner.get('/v1/admin/teams')).body
    const even = (await owner.get('/v1/admin/teams?sort=-name&q=EVEN')).body

    expect(all.total).toBe(1_234)
    expect(all.data.map(({ slug }: { slug: string }) => slug)).toEqual(numbers.map((number) => `s-${number}`))
    expect(even.total).toBe(617)
    const expected = numbers.filter((number) => Number(number) % 2 === 0).map((number) => `s-${number}`)
    expect(even.data.map(({ slug }: { slug: string }) => slug)).toEqual(expected.toReversed())
  })

  it('treats no character of q as a pattern', async () => {
    const { owner } = await service().given.organisation()
    await givenPeople(owner, ['Per%cent', 'Under_score'])

    expect(namesIn(await owner.get(`/v1/admin/users?q=${encodeURIComponent('per%')}`))).toEqual(['Per%cent Under_score'])
    expect((await owner.get(`/v1/admin/users?q=${encodeURIComponent('%')}`)).body.total).toBe(0)
    expect((await owner.get(`/v1/admin/users?q=${encodeURIComponent("'; drop table users --")}`)).body.total).toBe(0)
  })

  it('finds no record of another organisation', async () => {
    const { owner } = await service().given.organisation()
    const other = await service().given.organisation()
    const { email } = await service().given.user(other.owner)

    expect((await owner.get(`/v1/admin/users?q=${email}`)).body).toEqual({ data: [], total: 0 })
  })

  it('shows no deleted user', async () => {
    const { owner } = await service().given.organisation()
    const { id, email } = await service().given.user(owner)
    await owner.delete(`/v1/admin/users/${id}`)

    expect((await owner.get(`/v1/admin/users?q=${email}&sort=name`)).body.total).toBe(0)
  })

  it('continues after the longest name that there can be', async () => {
    const { owner } = await service().given.organisation()
    const longest = '\u9f98'.repeat(255)
    await givenPeople(owner, [longest, longest])

    const { nextCursor } = (await owner.get('/v1/admin/users?sort=-name&limit=1')).body

    expect(await owner.get(`/v1/admin/users?sort=-name&limit=1&cursor=${nextCursor}`)).toMatchObject({
      status: 200,
      body: { data: [{ id: owner.id }], total: 2, nextCursor: null },
    })
  })

  it('says of a limit that is no number what it has to be', async () => {
    const { owner } = await service().given.organisation()

    const refused = await owner.get('/v1/admin/users?limit=abc')

    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: ['limit'], message: 'Must be a whole number' }] } })
  })

  it.each(['sort=password', 'sort=passwordHash', 'sort=', 'sort=name,email', 'limit=0', 'limit=1001', `q=${'a'.repeat(256)}`, 'q=%00'])(
    'refuses the query %s',
    async (query) => {
      const { owner } = await service().given.organisation()

      expect(await owner.get(`/v1/admin/users?${query}`)).toMatchObject({ status: 400, body: { detail: 'Invalid input' } })
    },
  )
})

describe('the list of users', () => {
  it('is searched by name, last name and e-mail address', async () => {
    const { owner } = await service().given.organisation()
    const { email } = await service().given.user(owner, { firstName: 'Mary Ann', lastName: 'van Dyke' })

    for (const q of ['mary', 'MARY ANN V', 'van', 'Van Dyke', email.toUpperCase()]) {
      expect(namesIn(await owner.get(`/v1/admin/users?q=${encodeURIComponent(q)}`))).toEqual(['Mary Ann van Dyke'])
    }
  })
})

describe('the lists of roles and teams', () => {
  it.each(['roles', 'teams'])('%s: are searched by name and slug and sorted by either', async (list) => {
    const { owner } = await service().given.organisation()
    const path = `/v1/admin/${list}`
    await owner.post(path, { name: 'Zebra', slug: 'first-thing' })
    await owner.post(path, { name: 'Yak', slug: 'second-thing' })

    expect(namesIn(await owner.get(`${path}?q=zeb`))).toEqual(['Zebra'])
    expect(namesIn(await owner.get(`${path}?q=second`))).toEqual(['Yak'])
    const byName = namesIn(await owner.get(`${path}?sort=name`))
    expect(byName.indexOf('Yak')).toBeLessThan(byName.indexOf('Zebra'))
    const bySlug = namesIn(await owner.get(`${path}?sort=slug`))
    expect(bySlug.indexOf('Zebra')).toBeLessThan(bySlug.indexOf('Yak'))
    expect(await walk(owner, path, 'sort=-slug&limit=1')).toHaveLength(byName.length)
  })
})

describe('the list of permissions', () => {
  it('is sorted by slug and accepts limit, cursor and q', async () => {
    const { owner } = await service().given.organisation()

    const slugs = (await walk(owner, '/v1/admin/permissions', 'limit=7')).map(({ slug }) => slug)

    expect(slugs).toEqual(slugs.toSorted())
    expect((await owner.get('/v1/admin/permissions?q=teams')).body.total).toBe(4)
  })
})

describe("the operator's list of organisations", () => {
  it('is searched by name, slug and e-mail address and sorted by name', async () => {
    const one = await service().given.organisation()
    await service().given.organisation()

    for (const q of [one.name, one.slug, `it@${one.slug}`]) {
      const { body } = await service().operator.get(`/v1/system/organisations?q=${encodeURIComponent(q)}`)
      expect(body).toMatchObject({ total: 1, data: [{ id: one.id, name: one.name }] })
      expect(body.data[0]).not.toHaveProperty('nameKey')
    }
    const names = namesIn(await service().operator.get('/v1/system/organisations?sort=name')).map((name) => name.toLowerCase())
    expect(names).toEqual(names.toSorted())
  })
})
