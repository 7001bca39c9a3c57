import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { builtService, nodeFlags } from '../support/built-service.ts'
import { runProcess } from '../support/command.ts'
import { databaseKind } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

const acme = `
organisation: acme
name: Acme
users:
  - email: anna@acme.test
    roles: [clerk]
    password: a password of the demonstration
roles:
  clerk: { name: Clerk, permissions: [users:read] }
clients:
  web: { name: Shop, clientType: confidential, redirectUris: [http://localhost:4000/auth/callback] }
`

async function homeWith(text: string, { empty = false } = {}) {
  const home = await processHome({ empty })
  onTestFinished(() => home.remove())
  const file = join(home.folder, 'acme.yaml')
  await writeFile(file, text)
  const command = [process.execPath, ...nodeFlags, builtService, 'serve', '--seed', file] as [string, ...string[]]
  /** Of a service that does not start. */
  const refusal = async (environment: Record<string, string> = {}) => {
    const port = String(await freePort())
    const { status, stderr } = await runProcess({ ...home.environment, PORT: port, ...environment }, ['serve', '--seed', file])
    return { status, stderr }
  }
  const start = async (words = command) => {
    const service = await ServiceProcess.start(home.environment, { command: words })
    onTestFinished(() => service.end('SIGKILL').then(() => {}))
    return service.ready()
  }
  return { start, refusal, withoutSeed: command.slice(0, -2) as [string, ...string[]] }
}

describe('gatehouse serve --seed', () => {
  it('makes an organisation in an empty database, says who can sign in, and makes it once', async () => {
    const { start, refusal, withoutSeed } = await homeWith(acme, { empty: true })
    const service = await start()
    await service.printed(/anna@acme\.test {2}a password of the demonstration/)
    await service.printed(/web: cli_\w+ {2}\S+/)
    const anna = { email: 'anna@acme.test', password: 'a password of the demonstration' }
    expect(await service.anonymous.post('/v1/auth/login', anna)).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    expect(await service.end()).toBe(0)

    expect(await refusal()).toMatchObject({ status: 1, stderr: expect.stringContaining('The database has organisations already') })

    const again = await start(withoutSeed)
    expect(await again.anonymous.post('/v1/auth/login', anna)).toMatchObject({ status: 200 })
  })

  it('is refused in production, and with several processes', async () => {
    const { refusal } = await homeWith(acme)
    const production = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://id.acme.test',
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      SMTP_URL: 'smtp://localhost:25',
      MAIL_FROM: 'id@acme.test',
    }
    expect(await refusal(production)).toMatchObject({ status: 1, stderr: expect.stringContaining('--seed is for development') })
    // With the embedded database no service has several.
    const several = databaseKind() === 'postgres' ? '--seed needs WORKERS=1' : 'WORKERS is "2" and must be 1'
    expect(await refusal({ WORKERS: '2' })).toMatchObject({ status: 1, stderr: expect.stringContaining(several) })
  })

  it('names each mistake by its place in the file', async () => {
    const { refusal } = await homeWith('organisation: acme\nusers: [{ email: nowhere }]')
    expect(await refusal()).toMatchObject({ status: 1, stderr: expect.stringContaining('acme.yaml: users.0.email: ') })
    const unfit = await homeWith(
      JSON.stringify({
        organisation: 'acme',
        name: 'Ac\u0007me',
        users: [
          { email: 'anna@acme.test', password: 'x'.repeat(257) },
          { email: 'bert@acme.test', password: 'a password\twith a tab' },
          { email: 'cleo@acme.test', firstName: 'Cleo\u202e', lastName: 'Sh\u0007aw' },
        ],
      }),
    )
    const { stderr } = await unfit.refusal()
    for (const place of ['name', 'users.0.password', 'users.1.password', 'users.2.firstName', 'users.2.lastName'])
      expect(stderr).toContain(`acme.yaml: ${place}: `)
    const later = await homeWith('organisation: acme\nusers: [{ email: anna@acme.test, roles: [nope] }]')
    expect(await later.refusal()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('acme.yaml: users.0.roles.0: Role not found'),
    })
  })
})
