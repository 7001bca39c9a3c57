import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { WrongCode } from '../../shared/doctor-findings/findings.ts'
import { wrongByCommand, wrongByRoute } from '../support/doctor.ts'
import { startDrippingSmtpServer } from '../support/dripping-smtp-server.ts'
import { type ProcessHome, processHome } from '../support/service-process.ts'
import { TestSmtpServer } from '../support/smtp-server.ts'

let home: ProcessHome
/** What is wrong with an installation of these tests as it is. */
let before: { command: string[]; route: string[] }

const byCommand = (environment: Record<string, string>) => wrongByCommand({ ...home.environment, MAIL_FROM: 'a@b.test', ...environment })
const namesOf = (lines: readonly { name: string }[]) => lines.map(({ name }) => name)

beforeAll(async () => {
  home = await processHome()
  before = { command: namesOf(await byCommand({})), route: namesOf(await wrongByRoute({})) }
})
afterAll(() => home.remove())

interface Offered {
  /** The host that its certificate names; without one it has no TLS. */
  certificateFor?: string
  expired?: boolean
  /** Whether it begins with TLS, without STARTTLS. */
  secure?: boolean
  account?: { user: string; password: string }
}

/** A mail server of this machine, on every address of it. */
async function mailServer({ certificateFor, expired, secure = false, account }: Offered = {}) {
  const certificate = certificateFor === undefined ? undefined : await certificateOf(certificateFor, expired)
  const server = await TestSmtpServer.start({
    host: '0.0.0.0',
    ...(certificate && { tls: { ...certificate, secure } }),
    ...(account && { account }),
  })
  onTestFinished(() => server.stop())
  return { port: server.port, mails: server.mails, certificate: certificate?.cert }
}

async function certificateOf(host: string, expired = false) {
  const day = 86_400_000
  const { private: key, cert } = await generate([{ name: 'commonName', value: host }], {
    keyType: 'ec',
    notBeforeDate: new Date(Date.now() - 2 * day),
    notAfterDate: new Date(Date.now() + (expired ? -day : day)),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
    ],
  })
  return { key, cert }
}

/** Reaches this machine, as 127.0.0.1 does, but not as itself. */
const elsewhere = '0.0.0.0'

interface Breakage {
  that: string
  server: Offered
  url: (port: number) => string
  state?: 'warning' | 'failure'
  code: WrongCode
  seen: RegExp
  remedy: RegExp
}

const breakages: Breakage[] = [
  {
    that: 'takes mails of another machine without TLS',
    server: {},
    url: (port) => `smtp://${elsewhere}:${port}`,
    state: 'warning',
    code: 'mail-server-unencrypted',
    seen: /^The server accepts the service without TLS$/,
    remedy: /^SMTP_URL=smtp:\/\/…@0\.0\.0\.0:\d+\?starttls=required, or smtps:\/\//,
  },
  {
    that: 'has no STARTTLS where it is required',
    server: {},
    url: (port) => `smtp://127.0.0.1:${port}?starttls=required`,
    code: 'mail-server-without-tls',
    seen: /^It does not let the service in: .*STARTTLS/,
    remedy: /^Have the mail server offer STARTTLS, or .* SMTP_URL=smtps:/,
  },
  {
    that: 'offers STARTTLS with a certificate that no authority signed',
    server: { certificateFor: 'localhost' },
    url: (port) => `smtp://localhost:${port}`,
    code: 'mail-server-certificate-refused',
    seen: /^It does not let the service in: self-signed certificate/,
    remedy: /^Give the mail server a certificate that names localhost .*NODE_EXTRA_CA_CERTS=/,
  },
  {
    that: 'begins with TLS and a certificate that no authority signed',
    server: { certificateFor: 'localhost', secure: true },
    url: (port) => `smtps://localhost:${port}`,
    code: 'mail-server-certificate-refused',
    seen: /^It does not let the service in: self-signed certificate/,
    remedy: /^Give the mail server a certificate that names localhost /,
  },
  {
    that: 'has no TLS where the URL says so',
    server: {},
    url: (port) => `smtps://127.0.0.1:${port}`,
    code: 'mail-server-does-not-answer',
    seen: /^It does not let the service in: .*wrong version number/,
    remedy: /^Correct SMTP_URL: .*smtp:\/\/ for any other$/,
  },
  {
    that: 'refuses the password',
    server: { account: { user: 'gatehouse', password: 'right' } },
    url: (port) => `smtp://gatehouse:very-secret@127.0.0.1:${port}`,
    code: 'mail-server-refuses-user',
    seen: /^It does not let the service in: Invalid login: 535/,
    remedy: /^Correct user and password in SMTP_URL/,
  },
]

describe('the doctor sees a mail server that', () => {
  it.each(breakages.map((breakage) => [breakage.that, breakage] as const))('%s', async (_that, breakage) => {
    const { state = 'failure', code, seen, remedy } = breakage
    const server = await mailServer(breakage.server)
    const SMTP_URL = breakage.url(server.port)
    const wrong = { command: await byCommand({ SMTP_URL }), route: await wrongByRoute({ SMTP_URL, MAIL_FROM: 'a@b.test' }) }

    for (const from of ['command', 'route'] as const) {
      expect(wrong[from].filter(({ name }) => !before[from].includes(name))).toEqual([
        expect.objectContaining({
          name: 'mail-server',
          state,
          code,
          seen: expect.stringMatching(seen),
          remedy: expect.stringMatching(remedy),
        }),
      ])
    }
    expect(JSON.stringify(wrong)).not.toContain('very-secret')
    expect(server.mails).toEqual([])
  })

  it('responds byte by byte without end, and ends by itself', async () => {
    const server = await startDrippingSmtpServer()
    onTestFinished(() => server.stop())
    const wrong = await byCommand({ SMTP_URL: `smtp://127.0.0.1:${server.port}` })
    expect(wrong.filter(({ name }) => !before.command.includes(name))).toEqual([
      expect.objectContaining({
        name: 'mail-server',
        state: 'failure',
        seen: expect.stringMatching(/^It does not let the service in: it does not answer/),
      }),
    ])
  })

  it.each([
    ['names another host', { certificateFor: 'mail.acme.test' }, /^It does not let the service in: .*altnames/],
    ['has expired', { certificateFor: 'localhost', expired: true }, /^It does not let the service in: certificate has expired/],
  ] as const)('shows a certificate of a known authority that %s', async (_that, offered, seen) => {
    const server = await mailServer(offered)
    const environment = { SMTP_URL: `smtp://localhost:${server.port}`, NODE_EXTRA_CA_CERTS: await fileOf(server.certificate) }
    expect((await byCommand(environment)).filter(({ name }) => !before.command.includes(name))).toEqual([
      expect.objectContaining({
        name: 'mail-server',
        state: 'failure',
        seen: expect.stringMatching(seen),
        remedy: expect.stringMatching(/^Give the mail server a certificate that names localhost and has not expired/),
      }),
    ])
  })

  it.each([
    ['by STARTTLS', { certificateFor: 'localhost' }, 'smtp'],
    ['from the beginning', { certificateFor: 'localhost', secure: true }, 'smtps'],
  ] as const)('is as it should be, encrypted %s', async (_how, offered, scheme) => {
    const account = { user: 'gatehouse@acme.test', password: 'r/ght' }
    const server = await mailServer({ ...offered, account })
    const wrong = await byCommand({
      SMTP_URL: `${scheme}://${encodeURIComponent(account.user)}:${encodeURIComponent(account.password)}@localhost:${server.port}?starttls=required`,
      NODE_EXTRA_CA_CERTS: await fileOf(server.certificate),
    })
    expect(namesOf(wrong)).toEqual(before.command)
    expect(server.mails).toEqual([])
  })
})

async function fileOf(certificate = ''): Promise<string> {
  const file = join(home.folder, 'authority.pem')
  await writeFile(file, certificate)
  return file
}
