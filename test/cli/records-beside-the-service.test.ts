/** What a command for records does with the database of a service that runs. On the embedded one it works through its socket. */
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand, startCommand } from '../support/command.ts'
import { SignedInUser } from '../support/given.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

const account = { email: 'owner@acme.test', password: 'correct horse battery' }
let home: ProcessHome
let service: ServiceProcess
let owner: SignedInUser
beforeAll(async () => {
  home = await processHome()
  service = await (await ServiceProcess.start({ ...home.environment, BOOTSTRAP_OWNER_PASSWORD: account.password })).ready()
  owner = new SignedInUser(service.origin, await service.anonymous.post('/v1/auth/login', account), account)
})
afterAll(async () => {
  await service.end()
  await home.remove()
})

const inAcme = (line: string) => runCommand(home.environment, `${line} --organisation acme`)
const done = async (line: string) => {
  const result = await inAcme(`${line} --json`)
  expect(result).toMatchObject({ status: 0 })
  return JSON.parse(result.stdout)
}

describe('a command for records', () => {
  it('prints a secret once, which works', async () => {
    const { clientId, clientSecret } = await done('client create --name Jobs --client-type confidential --grant-type client_credentials')
    const token = async (secret: string) =>
      (
        await fetch(`${service.origin}/oauth2/token`, {
          method: 'POST',
          headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
          body: new URLSearchParams({ grant_type: 'client_credentials' }),
        })
      ).status
    expect(await token(clientSecret)).toBe(200)
    const { stdout } = await inAcme(`client rotate-secret ${clientId}`)
    const [, secret = ''] = /^Jobs has a new secret\n\nThe secret, which is not shown again:\n {2}(\S+)\n$/.exec(stdout) ?? []
    expect([await token(clientSecret), await token(secret)]).toEqual([401, 200])
    expect((await inAcme(`client show ${clientId}`)).stdout).not.toContain(secret)
  })
})

describe('gatehouse audit list --follow', () => {
  it('prints what is added until it is stopped', async () => {
    const following = startCommand(home.environment, 'audit list --organisation acme --follow --json --action team.*')
    let printed = ''
    following.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
    const prints = async (pattern: RegExp) => {
      while (!pattern.test(printed)) await once(following.stdout, 'data')
    }
    await owner.post('/v1/admin/teams', { name: 'Before', slug: 'before' })
    await prints(/"Before"/)
    await owner.post('/v1/admin/teams', { name: 'After', slug: 'after' })
    await prints(/"After"/)
    following.kill('SIGINT')
    expect(await once(following, 'close')).toEqual([0, null])
    const times = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).createdAt)
    expect(times).toEqual([...times].sort())
  })
})
