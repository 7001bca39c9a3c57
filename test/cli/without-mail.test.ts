/** Commands that send a mail, in production without a mail server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../support/command.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
let home: ProcessHome
const gatehouse = (line: string, environment = {}) =>
  runCommand({ ...home.environment, SECRET_KEY, NODE_ENV: 'production', PUBLIC_URL: 'https://id.example.com', ...environment }, line)
beforeAll(async () => {
  home = await processHome()
  const started = { ...home.environment, SECRET_KEY, BOOTSTRAP_ORGANISATION_SLUG: 'acme' }
  const service = await (await ServiceProcess.start(started)).ready()
  await service.end()
})
afterAll(() => home.remove())

const commands = [
  ['organisation create --name Globex --slug globex --email it@globex.test --owner-email hank@globex.test', 'hank@globex.test'],
  ['user create --organisation acme --email carol@acme.test --first-name Carol --last-name Shaw', 'carol@acme.test'],
  ['invitation create --organisation acme --email dora@acme.test --role member', 'dora@acme.test'],
  ['invitation resend dora@acme.test --organisation acme', 'dora@acme.test'],
] as const

describe('a command that sends a mail, where no mail leaves,', () => {
  it.each(commands)('says so, and how the user gets a link instead: %s', async (line, email) => {
    const rehearsed = await gatehouse(`${line} --dry-run`)
    expect(rehearsed).toMatchObject({ status: 0, stdout: expect.stringContaining('would get no mail, as no mail server is set') })
    const { status, stdout } = await gatehouse(line)
    expect(status).toBe(0)
    expect(stdout).toContain('no mail server is set')
    expect(stdout).toContain(`gatehouse user password-link ${email}`)
    expect(`${rehearsed.stdout}${stdout}`).not.toMatch(/is mailed|be mailed/)
  })

  it('is refused where the link would be lost, and the password with it', async () => {
    expect(await gatehouse('user password-link carol@acme.test --mail --yes')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'carol@acme.test would get no mail, as no mail server is set: leave --mail out, and the link is printed\n',
    })
    expect(await gatehouse('user password-link carol@acme.test')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^https:\/\/id\.example\.com\/password\//),
    })
  })

  it('says that it is mailed with a mail server, and in development', async () => {
    const line = 'user create --organisation acme --email erin@acme.test --first-name Erin --last-name Shaw --dry-run'
    for (const environment of [{ SMTP_URL: 'smtp://mail.example.com' }, { NODE_ENV: '', PUBLIC_URL: 'http://localhost:3000' }])
      expect(await gatehouse(line, environment)).toMatchObject({ status: 0, stdout: expect.stringContaining('who would be mailed a link') })
  })
})
