import { describe, expect, it } from 'vitest'
import { unique } from '../support/given.ts'
import { useService } from '../support/service.ts'

const service = useService()

async function organisationWithPolicy(passwordPolicy: Record<string, unknown>) {
  const organisation = await service().given.organisation()
  expect(await organisation.owner.patch('/v1/admin/organisation', { passwordPolicy })).toMatchObject({ status: 200 })
  return organisation
}

const newUser = (password: string) => ({ email: `user-${unique()}@example.test`, firstName: 'Carol', lastName: 'Shaw', password })

/** The reasons for which the field `password` is refused. */
const refusedFor = (...messages: string[]) => ({
  status: 400,
  body: {
    detail: 'Invalid input',
    errors: messages.map((message) => ({ code: expect.stringMatching(/^(too_small|custom)$/), path: ['password'], message })),
  },
})

describe("an organisation's password policy", () => {
  it('applies when an administrator chooses a password, and names everything that is missing', async () => {
    const { owner } = await organisationWithPolicy({ minLength: 12, requireUppercase: true, requireNumber: true, requireSymbols: true })

    expect(await owner.post('/v1/admin/users', newUser('six trees'))).toMatchObject(
      refusedFor(
        'Password must contain at least 12 characters',
        'Password must contain an upper-case letter',
        'Password must contain a number',
        'Password must contain a symbol',
      ),
    )
    expect((await owner.get('/v1/admin/users')).body.total).toBe(1)
    expect(await owner.post('/v1/admin/users', newUser('Seventeen trees: 17'))).toMatchObject({ status: 201 })
  })

  it('counts characters, whatever they take in UTF-16', async () => {
    const { owner } = await organisationWithPolicy({ minLength: 12 })
    const eleven = '\u{1f333}'.repeat(11)

    expect(await owner.post('/v1/admin/users', newUser(eleven))).toMatchObject(refusedFor('Password must contain at least 12 characters'))
    expect(await owner.post('/v1/admin/users', newUser(`${eleven}\u{1f332}`))).toMatchObject({ status: 201 })
  })

  it('applies to new passwords only', async () => {
    const { owner } = await service().given.organisation()
    const user = await service().given.user(owner)
    expect(await owner.patch('/v1/admin/organisation', { passwordPolicy: { minLength: 40 } })).toMatchObject({ status: 200 })

    await service().given.signIn(user.email)
  })

  it('of one organisation does not apply to another', async () => {
    await organisationWithPolicy({ minLength: 40 })
    const { owner } = await service().given.organisation()

    expect(await owner.post('/v1/admin/users', newUser('seventeen trees'))).toMatchObject({ status: 201 })
  })
})

describe('a password that is easy to guess', () => {
  it.each(['password123', 'QWERTYUIOP', 'iloveyou1'])('%s is refused without any policy', async (password) => {
    const { owner } = await service().given.organisation()

    expect(await owner.post('/v1/admin/users', newUser(password))).toMatchObject(refusedFor('Password is one of the most common passwords'))
  })

  it("made of the user's own name is refused", async () => {
    const { owner } = await service().given.organisation()

    expect(await owner.post('/v1/admin/users', newUser('carolshaw2026'))).toMatchObject(
      refusedFor('Password must not be made of the name or the e-mail address'),
    )
  })

  it('shorter than eight characters is too short', async () => {
    const { owner } = await service().given.organisation()

    expect(await owner.post('/v1/admin/users', newUser('7 chars'))).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'too_small', path: ['password'] }] },
    })
  })
})
