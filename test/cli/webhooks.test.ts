import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordsOf, runCommand } from '../support/command.ts'
import { SignedInUser } from '../support/given.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

const account = { email: 'owner@acme.test', password: 'correct horse battery' }
let home: ProcessHome
let webhookId: string
beforeAll(async () => {
  home = await processHome()
  const environment = { ...home.environment, BOOTSTRAP_OWNER_PASSWORD: account.password }
  const service = await (await ServiceProcess.start(environment)).ready()
  const owner = new SignedInUser(service.origin, await service.anonymous.post('/v1/auth/login', account), account)
  const { body } = await owner.post('/v1/admin/webhooks', { url: 'https://receiver.example.test/', events: ['role.created'] })
  webhookId = body.id
  await owner.post('/v1/admin/roles', { name: 'Support', slug: 'support' })
  await service.end()
})
afterAll(() => home.remove())

describe('gatehouse webhooks deliveries', () => {
  const deliveries = (line: string) => runCommand(home.environment, `webhooks deliveries ${line}`)

  it('lists them', async () => {
    expect(recordsOf(await deliveries('--organisation acme --json'))).toMatchObject([{ event: 'role.created', webhookId }])
    expect((await deliveries(`--organisation acme --webhook ${webhookId} --event role.created`)).stdout).toMatch(
      /^CREATED AT .*\n\S+Z +role\.created /,
    )
    expect(await deliveries('--organisation acme --event role.deleted')).toEqual({ status: 0, stdout: 'No deliveries\n', stderr: '' })
  })

  it.each([
    ['', 2, "'--organisation <organisation>'"],
    ['--organisation acme --status lost', 2, '--status is wrong'],
    ['--organisation nowhere', 1, 'There is no organisation "nowhere"'],
  ])('says what is wrong with %s', async (line, status, message) => {
    expect(await deliveries(line)).toEqual({ status, stdout: '', stderr: expect.stringContaining(message) })
  })
})

describe('gatehouse webhooks verify', () => {
  const secret = 'whsec_abc'
  const body = `{"id":"evt_1","type":"user.created","createdAt":"${new Date().toISOString()}","data":{}}`
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const verify = async (key: string, header: string, options: readonly string[] = []) => {
    const file = join(home.folder, 'body.json')
    await writeFile(file, body)
    const headers = ['--header', 'X-Svc-Event: user.created', '--header', header]
    return runCommand({ GATEHOUSE_WEBHOOK_SECRET: key }, ['webhooks', 'verify', file, ...headers, ...options])
  }

  it('says that a signature is good', async () => {
    expect(await verify(secret, `X-Svc-Signature: ${signature}`)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('signature is good'),
    })
  })

  it('says what is wrong with one that is not', async () => {
    const { status, stdout } = await verify('abc', `X-Svc-Signature: ${signature}`, ['--json'])
    expect({ status, ...JSON.parse(stdout) }).toMatchObject({ status: 1, accepted: false })
    expect(stdout).toContain('the prefix whsec_ belongs to it')
  })

  it('takes the secret from the environment or a file, and as no argument', async () => {
    const words = ['webhooks', 'verify', '/nowhere', '--header', 'a: b']
    expect(await runCommand({}, words)).toMatchObject({ status: 1, stderr: expect.stringContaining('set GATEHOUSE_WEBHOOK_SECRET') })
    expect(await runCommand({}, [...words, '--secret', secret])).toMatchObject({ status: 2, stderr: expect.stringContaining("'--secret'") })
    expect(await runCommand({}, [...words, '--secret-file', '/nothing'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('/nothing cannot be read'),
    })
  })

  it('is told the headers, and a file', async () => {
    expect(await verify(secret, 'X-Svc-Signature')).toMatchObject({ status: 2, stderr: expect.stringContaining('--header') })
    expect(await runCommand({ GATEHOUSE_WEBHOOK_SECRET: 'x' }, ['webhooks', 'verify', '/nowhere', '--header', 'a: b'])).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^\/nowhere cannot be read: there is no such file \(ENOENT\)\. .*\n$/),
    })
  })
})
