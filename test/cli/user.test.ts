import { userInfo } from 'node:os'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { runCommand } from '../support/command.ts'
import { SignedInUser } from '../support/given.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'
import { TestClock } from '../support/test-clock.ts'

const account = { email: 'owner@acme.test', password: 'correct horse battery' }
let home: ProcessHome
const gatehouse = (line: string) => runCommand(home.environment, line)
const done = async (line: string) => {
  const result = await gatehouse(`${line} --json`)
  expect(result).toMatchObject({ status: 0, stderr: '' })
  return JSON.parse(result.stdout)
}
const started = async () => {
  const service = await (await ServiceProcess.start({ ...home.environment, BOOTSTRAP_OWNER_PASSWORD: account.password })).ready()
  onTestFinished(() => service.end('SIGKILL').then(() => {}))
  return service
}
const signIn = (service: ServiceProcess, password = account.password) =>
  service.anonymous.post('/v1/auth/login', { email: account.email, password })

beforeAll(async () => {
  home = await processHome()
})
afterAll(() => home.remove())

it('an owner who has lost the password and the second factor gets back in by two commands', async () => {
  const before = await started()
  const owner = new SignedInUser(before.origin, await signIn(before), account)
  await enrolAuthenticator(owner, new TestClock())
  expect(await owner.post('/v1/admin/api-keys', { name: 'Pipeline', permissions: ['users:read'] })).toMatchObject({ status: 201 })
  expect(await owner.post('/v1/admin/setup-links', { name: 'Northwind IT', purposes: ['domain'] })).toMatchObject({ status: 201 })
  expect((await signIn(before)).body).toMatchObject({ status: 'mfa_required' })
  expect(await before.end()).toBe(0)

  expect(await gatehouse('user reset-mfa owner@acme.test')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(
      'owner@acme.test loses the present password, 1 second factor, 10 backup codes, 1 API key, 1 set-up link, tokens, consents, mailed links and codes, and 1 session ends. This cannot be undone',
    ),
  })
  expect(await gatehouse('user reset-mfa owner@acme.test --yes')).toEqual({
    status: 0,
    stdout: 'owner@acme.test has no second factor any more\n',
    stderr: '',
  })
  const { stdout, ...ended } = await gatehouse('user password-link OWNER@acme.test --reason lost')
  expect(ended).toEqual({ status: 0, stderr: '' })

  const after = await started()
  const token = new URL(stdout.trim()).hash.slice(1) || new URL(stdout.trim()).searchParams.get('token')
  expect(await after.anonymous.post('/v1/auth/password/reset', { token, password: 'another battery staple' })).toMatchObject({
    status: 200,
  })
  expect((await signIn(after)).status).toBe(401)
  const login = await signIn(after, 'another battery staple')
  expect(login.body).toMatchObject({ status: 'authenticated' })
  const again = new SignedInUser(after.origin, login, account)
  const { body } = await again.get('/v1/admin/audit-logs?action=user.recovered')
  expect(body.data).toMatchObject([
    { actorType: 'system', actorId: 'cli', metadata: { done: ['passwordLink'], reason: 'lost', operatingSystemUser: userInfo().username } },
    { actorType: 'system', actorId: 'cli', metadata: { done: ['removeSecondFactors'], operatingSystemUser: userInfo().username } },
  ])
  expect(await after.end()).toBe(0)
})

describe('gatehouse user', () => {
  it('creates and finds a user', async () => {
    const create = 'user create --organisation acme --email carol@acme.test --first-name Carol --last-name Shaw --no-mail'
    expect((await gatehouse(`${create} --dry-run`)).stdout).toMatch(/^Would create carol@acme\.test with \w+\n$/)
    expect(await gatehouse('user find carol@acme.test')).toMatchObject({ status: 1, stdout: '' })

    expect(await done(create)).toMatchObject({ email: 'carol@acme.test' })
    expect(await gatehouse(create)).toEqual({ status: 1, stdout: '', stderr: 'Email already registered\n' })
    expect(await done('user find carol@acme.test')).toMatchObject({ name: 'Carol Shaw', isOwner: false, organisation: { slug: 'acme' } })
    expect((await gatehouse('user find owner@acme.test')).stdout).toMatch(/^is owner +true$/m)
  })

  it('says before a password link what the user loses by it, and asks nothing where that is nothing', async () => {
    const service = await started()
    const password = 'a staple of another battery'
    const token = new URL((await gatehouse('user password-link carol@acme.test')).stdout.trim()).searchParams.get('token')
    expect(await service.anonymous.post('/v1/auth/password/reset', { token, password })).toMatchObject({ status: 200 })
    const signsIn = async () => (await service.anonymous.post('/v1/auth/login', { email: 'carol@acme.test', password })).status
    expect(await signsIn()).toBe(200)

    expect(await gatehouse('user password-link carol@acme.test')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining(
        'carol@acme.test loses the present password, tokens, consents, mailed links and codes, and 1 session ends. This cannot',
      ),
    })
    expect(await gatehouse('user password-link carol@acme.test --dry-run')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Would print a link .*, and remove the present password, passkeys, .* API keys, /),
    })
    expect(await signsIn()).toBe(200)
    expect(await gatehouse('user password-link carol@acme.test --yes')).toMatchObject({ status: 0, stderr: '' })
    expect(await signsIn()).toBe(401)
    expect(await service.end()).toBe(0)
  })

  it('blocks, unblocks and signs out a user', async () => {
    expect((await done('user block carol@acme.test --reason gone')).blockedReason).toBe('gone')
    expect(await gatehouse('user password-link carol@acme.test --yes')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is blocked'),
    })
    expect(await gatehouse('user unblock carol@acme.test --dry-run')).toEqual({
      status: 0,
      stdout: 'Would let carol@acme.test sign in again\n',
      stderr: 'Nothing was changed: this was a dry run\n',
    })
    expect((await done('user find carol@acme.test')).blockedAt).toEqual(expect.any(String))
    expect(await done('user unblock carol@acme.test')).toMatchObject({ done: ['unblock'] })
    expect(await gatehouse('user unblock carol@acme.test')).toMatchObject({ stdout: 'carol@acme.test was neither blocked nor locked\n' })
    expect(await gatehouse('user sessions end carol@acme.test')).toMatchObject({
      status: 0,
      stdout: 'carol@acme.test is signed out everywhere\n',
    })
    expect((await done('user find carol@acme.test')).blockedAt).toBeNull()
  })

  it.each([
    ['block owner@acme.test', 1, 'The organisation owner cannot be blocked'],
    ['reset-mfa nobody@acme.test', 1, 'There is no user "nobody@acme.test": give the whole e-mail address, or the id'],
    ['find ownr@acme.test', 1, 'There is no user "ownr@acme.test": did you mean owner@acme.test?'],
    ['create --organisation nowhere --email a@b.test --first-name A --last-name B', 1, 'There is no organisation "nowhere"'],
    [
      'create --organisation acme --email a@b.test --first-name A --last-name B --role admn',
      1,
      'There is no role "admn" in acme: did you mean admin?',
    ],
    [
      'create --organisation acmee --email a@b.test --first-name A --last-name B',
      1,
      'There is no organisation "acmee": did you mean acme?',
    ],
    ['create --organisation acme --email a --first-name A --last-name B', 2, '--email is wrong'],
    ['block', 2, "'user'"],
    ['sessions end', 2, "'user'"],
  ])('says what is wrong with %s', async (line, status, message) => {
    expect(await gatehouse(`user ${line}`)).toEqual({ status, stdout: '', stderr: expect.stringContaining(message) })
  })
})
