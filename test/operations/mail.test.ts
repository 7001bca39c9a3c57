import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase } from '../../src/platform/database/database.ts'
import type { MailTransport } from '../../src/platform/mail/mail.ts'
import { startMailWorker } from '../../src/platform/mail/mail-worker.ts'
import { bringMailsForward } from '../../src/platform/mail/outbox.ts'
import { fileTransport, smtpTransport } from '../../src/platform/mail/transports.ts'
import { startDrippingSmtpServer } from '../support/dripping-smtp-server.ts'
import { unique } from '../support/given.ts'
import { needs } from '../support/needs.ts'
import { newOwner } from '../support/new-owner.ts'
import { asRequest } from '../support/sent-statements.ts'
import { startTestService, type TestService, type TestServiceOptions, useService } from '../support/service.ts'
import { TestSmtpServer } from '../support/smtp-server.ts'
import { TestClock } from '../support/test-clock.ts'

/** A non-loopback address of this machine, if it has one. */
const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === 'IPv4')?.address

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function aService(options: TestServiceOptions): Promise<TestService> {
  const service = await startTestService(options)
  stops.push(() => service.stop())
  return service
}

async function anSmtpServer(port?: number): Promise<TestSmtpServer> {
  const smtp = await TestSmtpServer.start({ port })
  stops.push(() => smtp.stop())
  return smtp
}

const hasLoopbackOfIPv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'))

/** With a mailbox instead of a mail server. */
const shared = useService()

/** One whose queue the test alone fills. */
const ofItsOwn = useService({ ofItsOwn: true })

const transportTo = ({ port }: { port: number }) => smtpTransport(`smtp://127.0.0.1:${port}`)

const inVain = async () => {
  throw new Error('The mail server is down')
}

/** A queue that only the test fills and delivers: its mails are due at a time that the service's own clock does not reach. */
async function aQueue(send: MailTransport['send'] = inVain) {
  const { given, services } = ofItsOwn()
  const engine = { ...ofItsOwn().engine }
  const clock = new TestClock()
  clock.stop()
  clock.advance({ days: 1_000 })
  const database = createDatabase(engine, clock)
  const ofRecipient = 'carol@example.test'
  const organisation = await given.organisation()
  const pending = () => database.system().selectFrom('mails').select('id').where('nextAttemptAt', 'is not', null).execute()
  await expect.poll(pending).toEqual([])
  const queue = async (organisationId: string, count: number, fields: { subject?: string; isAwaited?: boolean } = {}) => {
    const tenant = database.tenant(organisationId)
    const rows = Array.from({ length: count }, (_, index) => {
      const id = `mail_${unique()}_${index.toString().padStart(3, '0')}`
      const contentEncrypted = services.keyring.encrypt(JSON.stringify({ text: 'Hello', html: '<p>Hello</p>' }), id)
      const times = { nextAttemptAt: tenant.now, createdAt: tenant.now }
      return { id, recipient: ofRecipient, subject: 'Hello', contentEncrypted, ...times, ...fields }
    })
    await tenant.insertInto('mails').values(rows).execute()
  }
  const work = () => {
    const worker = asRequest(() =>
      startMailWorker({
        database,
        keyring: services.keyring,
        transport: { send, close: () => {} },
        from: 'no-reply@id.example.com',
        pollMilliseconds: 3_600_000,
        onFailure: () => {},
        onError: (error) => expect.unreachable(String(error)),
      }),
    )
    stops.push(() => worker.stop())
    return worker
  }
  stops.push(async () => {
    await database.system().deleteFrom('mails').where('recipient', '=', ofRecipient).execute()
  })
  return {
    clock,
    database,
    engine,
    given,
    organisationId: organisation.id,
    queue,
    work,
    deliver: () => work().finish(),
    mails: () =>
      database
        .system()
        .selectFrom('mails')
        .select(['id', 'attemptCount', 'nextAttemptAt', 'claimedUntil'])
        .where('recipient', '=', ofRecipient)
        .orderBy('id')
        .execute(),
  }
}

describe('a mail by SMTP', () => {
  // For those that need no more than a mail server that is there.
  let smtp: TestSmtpServer
  let service: TestService
  beforeAll(async () => {
    smtp = await TestSmtpServer.start()
    service = await startTestService({
      mailTransport: transportTo(smtp),
      environment: { MAIL_FROM: 'Gatehouse <no-reply@id.example.com>' },
    })
  })
  afterAll(async () => {
    await service?.stop()
    await smtp?.stop()
  })

  it('arrives as text and as HTML, from the configured sender', async () => {
    const ownerEmail = await newOwner(service, 'Größe & Söhne')
    await expect.poll(() => smtp.mailsTo(ownerEmail).length).toBe(1)

    const [mail] = smtp.mailsTo(ownerEmail)
    expect(mail).toMatchObject({
      from: { name: 'Gatehouse', address: 'no-reply@id.example.com' },
      subject: 'Welcome to Größe & Söhne',
      messageId: expect.stringMatching(/^<mail_[0-9a-z]+@id\.example\.com>$/),
    })
    const link = /http:\/\/gatehouse\.test\/password\/reset\?token=([\w-]+)/.exec(mail?.text ?? '')
    expect(mail?.text).toContain('Hello Zoë Ünal,')
    expect(mail?.html).toContain('<p>Hello Zoë Ünal,</p>')
    expect(mail?.html).toContain(`href="${link?.[0]}"`)
    expect(mail?.html).toContain('Größe &amp; Söhne')
    expect(await service.anonymous.get(`/v1/auth/password/reset?token=${link?.[1]}`)).toMatchObject({ body: { valid: true } })
  })

  it.each([
    ['de', 'de-AT', 'Willkommen bei', 'Guten Tag Zoë Ünal,'],
    ['en', 'fr', 'Welcome to', 'Hello Zoë Ünal,'],
  ])('names its language in its header and in its HTML: %s', async (language, acceptLanguage, welcome, greeting) => {
    const name = `Größe & Söhne (${language})`
    const asking = { operator: service.operator.with({ 'accept-language': acceptLanguage }) }

    const ownerEmail = await newOwner(asking, name)
    await expect.poll(() => smtp.mailsTo(ownerEmail).length).toBe(1)

    const [mail] = smtp.mailsTo(ownerEmail)
    expect(mail).toMatchObject({
      subject: `${welcome} ${name}`,
      text: expect.stringContaining(greeting),
      html: expect.stringContaining(`<p>${greeting}</p>`),
    })
    expect(mail?.headers.filter(({ key }) => key === 'content-language')).toMatchObject([{ value: language }])
    expect(mail?.html).toContain(`<html lang="${language}">`)
  })

  it('is in English when it was queued before mails had a language', async () => {
    await newOwner(service)
    const { id: organisationId } = await service.database.system().selectFrom('organisations').select('id').executeTakeFirstOrThrow()
    const id = `mail_${unique()}`
    const content = JSON.stringify({ text: 'Hello', html: '<p>Hello</p>' })
    const now = service.clock.now()
    await service.database.transaction(organisationId, (tenant) =>
      tenant
        .insertInto('mails')
        .values({
          id,
          recipient: 'carol@example.test',
          subject: 'Hello',
          contentEncrypted: service.services.keyring.encrypt(content, id),
          nextAttemptAt: now,
          createdAt: now,
        })
        .execute(),
    )

    await expect.poll(() => smtp.mailsTo('carol@example.test').length).toBe(1)
    const [mail] = smtp.mailsTo('carol@example.test')
    expect(mail?.text?.trim()).toBe('Hello')
    expect(mail?.headers.find(({ key }) => key === 'content-language')).toMatchObject({ value: 'en' })
  })

  it("carries the organisation's logo and colour, and nothing else of its branding", async () => {
    const { owner } = await shared().given.organisation()
    const branding = { logoUrl: 'https://acme.test/logo.svg', primaryColor: '#123456', footer: '<script>' }
    await owner.patch('/v1/admin/organisation', { branding })
    await owner.post(`/v1/admin/users/${owner.id}/password-reset`)

    const { html } = await shared().mailbox.mailTo(owner.email, 'Choose a new password')

    expect(html).toContain('src="https://acme.test/logo.svg"')
    expect(html).toContain('background:#123456;color:#ffffff')
    expect(html).not.toContain('script')
  })

  it('is sent later when the server is down, so that no acknowledged mail is lost', async () => {
    const down = await TestSmtpServer.start()
    await down.stop()
    const service = await aService({ mailTransport: transportTo(down) })
    const early = [await newOwner(service), await newOwner(service)]
    const failures = () => service.logLines.filter((line) => line.includes('a mail could not be sent')).length
    await expect.poll(failures).toBeGreaterThanOrEqual(2)

    const smtp = await anSmtpServer(down.port)
    service.clock.advance({ minutes: 2 })
    const late = await newOwner(service)

    for (const address of [...early, late]) await expect.poll(() => smtp.mailsTo(address).length).toBe(1)
  })

  it('leaves no address in the log when the server refuses the recipient, but the response', async () => {
    const smtp = await TestSmtpServer.start({ knowsNone: true })
    stops.push(() => smtp.stop())
    const service = await aService({ mailTransport: transportTo(smtp) })

    const address = await newOwner(service)

    const refused = () => service.logLines.filter((line) => line.includes('a mail could not be sent'))
    await expect.poll(refused).toHaveLength(1)
    expect(JSON.parse(refused()[0] as string)).toMatchObject({ err: { responseCode: 550, response: '550 <***> User unknown' } })
    expect(service.logLines.join('')).not.toContain(address)
  })

  it('is sent to a server with an IPv6 address', needs('IPv6', hasLoopbackOfIPv6), async () => {
    const ofIPv6 = await TestSmtpServer.start({ host: '::1' })
    stops.push(() => ofIPv6.stop())
    const service = await aService({ mailTransport: smtpTransport(`smtp://[::1]:${ofIPv6.port}`) })

    const address = await newOwner(service)

    await expect.poll(() => ofIPv6.mailsTo(address).length).toBe(1)
  })

  it('is sent later, and holds up no other, when the server responds byte by byte without end', async () => {
    const dripping = await startDrippingSmtpServer()
    stops.push(() => dripping.stop())
    const service = await aService({ mailTransport: smtpTransport(`smtp://127.0.0.1:${dripping.port}`, { deadlineMilliseconds: 300 }) })
    const early = [await newOwner(service), await newOwner(service)]
    const failures = () => service.logLines.filter((line) => line.includes('has not accepted the mail within 0.3 s')).length
    await expect.poll(failures).toBeGreaterThanOrEqual(2)

    await dripping.stop()
    const smtp = await anSmtpServer(dripping.port)
    service.clock.advance({ minutes: 2 })
    const late = await newOwner(service)

    for (const address of [...early, late]) await expect.poll(() => smtp.mailsTo(address).length).toBe(1)
  })

  it('is deleted from the database once it is sent, and its links are encrypted until then', async () => {
    const smtp = await TestSmtpServer.start()
    await smtp.stop()
    const service = await aService({ mailTransport: transportTo(smtp) })
    const address = await newOwner(service)
    const mailOf = () =>
      service.database.system().selectFrom('mails').selectAll().where('recipient', '=', address).executeTakeFirstOrThrow()
    await expect.poll(async () => (await mailOf()).lastError).not.toBeNull()
    expect(JSON.stringify(await mailOf())).not.toContain('token=')

    await anSmtpServer(smtp.port)
    service.clock.advance({ minutes: 2 })
    await newOwner(service)
    await expect.poll(async () => (await mailOf()).sentAt).not.toBeNull()
    expect(await mailOf()).toMatchObject({ contentEncrypted: null, nextAttemptAt: null })
  })

  it('is given up after the tenth attempt, and its links are deleted with it', async () => {
    const smtp = await TestSmtpServer.start()
    await smtp.stop()
    const service = await aService({ mailTransport: transportTo(smtp) })
    const address = await newOwner(service)
    const mailOf = () =>
      service.database.system().selectFrom('mails').selectAll().where('recipient', '=', address).executeTakeFirstOrThrow()

    for (let attempts = 1; attempts < 10; attempts++) {
      await expect.poll(async () => await mailOf()).toMatchObject({ attemptCount: attempts, claimedUntil: null })
      service.clock.advance({ days: 1 })
      // Another mail wakes the delivery.
      await newOwner(service)
    }

    await expect.poll(async () => await mailOf()).toMatchObject({ attemptCount: 10, claimedUntil: null })
    expect(await mailOf()).toMatchObject({ contentEncrypted: null, nextAttemptAt: null, sentAt: null, lastError: expect.any(String) })
  })

  it('is tried again after 30 s, 2 min, 10 min, three times 1 h, 6 h, 12 h and 24 h', async () => {
    const { organisationId, queue, deliver, mails, clock } = await aQueue()
    await queue(organisationId, 1)
    for (const seconds of [30, 120, 600, 3_600, 3_600, 3_600, 21_600, 43_200, 86_400]) {
      await deliver()
      const [mail] = await mails()
      expect(((mail?.nextAttemptAt?.getTime() ?? 0) - clock.now().getTime()) / 1_000).toBe(seconds)
      clock.advance({ seconds: seconds - 1 })
      await deliver()
      expect(await mails()).toEqual([mail])
      clock.advance({ seconds: 1 })
    }
    await deliver()
    expect(await mails()).toMatchObject([{ attemptCount: 10, nextAttemptAt: null }])
  })

  it('is followed at once by the others that are due, however many there are', async () => {
    const { organisationId, queue, deliver, mails } = await aQueue()
    await queue(organisationId, 25)
    await deliver()
    expect((await mails()).map(({ attemptCount }) => attemptCount)).toEqual(Array(25).fill(1))
  })

  it('waits for a few of another organisation, however many that has queued before', async () => {
    const sent: string[] = []
    const { organisationId, queue, deliver, given } = await aQueue(async ({ subject }) => void sent.push(subject))
    const others = [await given.organisation(), await given.organisation()]
    await queue(organisationId, 60, { subject: 'many' })
    for (const { id } of others) await queue(id, 1, { subject: 'one' })

    await deliver()

    expect(sent).toHaveLength(62)
    expect(sent.slice(0, 12).filter((subject) => subject === 'one')).toHaveLength(2)
  })

  it('for which a person waits is sent before the others of the organisation', async () => {
    const sent: string[] = []
    const { organisationId, queue, deliver } = await aQueue(async ({ subject }) => void sent.push(subject))
    await queue(organisationId, 40, { subject: 'news' })
    await queue(organisationId, 1, { subject: 'code', isAwaited: true })

    await deliver()

    expect(sent).toHaveLength(41)
    expect(sent.slice(0, 2)).toContain('code')
  })

  it('is sent while others wait for a slow response of the mail server', async () => {
    const sent: string[] = []
    let respond = () => {}
    const slow = new Promise<void>((resolve) => {
      respond = resolve
    })
    const { organisationId, queue, work } = await aQueue(async ({ subject }) => {
      if (subject === 'slow') await slow
      sent.push(subject)
    })
    await queue(organisationId, 9, { subject: 'slow' })
    const worker = work()
    await queue(organisationId, 15, { subject: 'quick' })
    worker.wake()

    await expect.poll(() => sent).toEqual(Array(15).fill('quick'))
    respond()
    await worker.finish()
    expect(sent).toHaveLength(24)
  })

  it('that the server has accepted is not sent again when the database fails at that moment', async () => {
    let sent = 0
    const failing = new Set<string>()
    const { organisationId, queue, deliver, mails, engine } = await aQueue(async () => {
      sent++
      failing.add('sent_at')
    })
    engine.execute = async (query, setUp) => {
      for (const text of failing)
        if (query.sql.includes(text)) {
          failing.delete(text)
          throw new Error('Connection terminated unexpectedly')
        }
      return ofItsOwn().engine.execute(query, setUp)
    }
    await queue(organisationId, 1)

    await deliver()

    expect(sent).toBe(1)
    expect(await mails()).toMatchObject([{ attemptCount: 1, nextAttemptAt: null }])
  })

  it('that is being sent when the process stops is left to another one at once', async () => {
    const { organisationId, queue, work, mails, clock } = await aQueue(
      (_, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    )
    await queue(organisationId, 1)
    const worker = work()
    await expect.poll(mails).toMatchObject([{ attemptCount: 1 }])

    await worker.stop()

    expect(await mails()).toMatchObject([{ attemptCount: 0, nextAttemptAt: clock.now(), claimedUntil: null }])
  })

  it('is one for which a person waits if it brings a code or a link that they have asked for', async () => {
    const { owner } = await shared().given.organisation()
    await shared().anonymous.post('/v1/auth/password/forgot', { email: owner.email })
    await shared().mailbox.mailTo(owner.email, 'Choose a new password')
    const welcomed = await newOwner(shared())
    const created = `${unique()}@acme.test`
    const fields = { email: created, firstName: 'Ada', lastName: 'Shaw', password: 'Violet-Kettle-94' }
    expect(await owner.post('/v1/admin/users', fields)).toMatchObject({ status: 201 })
    const awaited = (recipient: string) =>
      shared().database.system().selectFrom('mails').select('isAwaited').where('recipient', '=', recipient).execute()
    expect(await awaited(owner.email)).toEqual([{ isAwaited: true }])
    for (const unasked of [welcomed, created]) expect(await awaited(unasked)).toEqual([{ isAwaited: false }])
  })

  it('of a time that lies ahead, since the clock was set back, waits as long as after its last attempt', async () => {
    const { organisationId, queue, deliver, mails, clock, database } = await aQueue()
    await queue(organisationId, 2)
    await deliver()
    const [first, second] = await mails()
    const system = database.system()
    const setMail = (id: string | undefined, fields: { attemptCount: number; nextAttemptAt: Date }) =>
      system
        .updateTable('mails')
        .set(fields)
        .where('id', '=', id ?? '')
        .execute()
    const inAnHour = new Date(clock.now().getTime() + 3_600_000)
    await setMail(first?.id, { attemptCount: 0, nextAttemptAt: inAnHour })
    await setMail(second?.id, { attemptCount: 2, nextAttemptAt: inAnHour })

    await asRequest(() => bringMailsForward(system))

    const waits = (await mails()).map(({ nextAttemptAt }) => ((nextAttemptAt?.getTime() ?? 0) - clock.now().getTime()) / 1_000)
    expect(waits).toEqual([0, 120])
  })
})

describe('a mail in development', () => {
  it('is a file that a mail program opens, and a page with its link', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-mail-'))
    stops.push(() => rm(dataDir, { recursive: true }))
    const inDevelopment = await aService({ mailTransport: fileTransport(join(dataDir, 'mail')), environment: { DATA_DIR: dataDir } })
    const ownerEmail = await newOwner(inDevelopment)

    const path = async () => {
      const { body } = await inDevelopment.anonymous.get('/dev/mail')
      return new RegExp(`href="(/dev/mail/[\\w-]+\\.eml)">Welcome to [^<]+</a> to ${ownerEmail}`).exec(body)?.[1]
    }
    await expect.poll(path).toBeDefined()
    const page = await inDevelopment.anonymous.get((await path()) ?? '')
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.body).toContain('Hello Zoë Ünal,')
    expect(page.body).toContain('Content-Language: en')
    expect(page.body).toMatch(/<a href="http:\/\/gatehouse\.test\/password\/reset\?token=[\w-]{43}">/)
  })

  it('is shown to this machine only, by a name of this machine', async () => {
    const service = await aService({ environment: { TRUST_PROXY: '127.0.0.1' } })
    const { host, port } = new URL(service.origin)
    const asked = (headers: Record<string, string>, path = '/dev/mail') => statusOf(`${service.origin}${path}`, headers)

    expect(await asked({ host })).toBe(200)
    expect(await asked({ host: `localhost:${port}` })).toBe(200)
    expect(await asked({ host: `[::1]:${port}` })).toBe(200)
    for (const path of ['/dev/mail', '/dev/mail/mail.eml']) {
      for (const name of ['id.example.com', 'gatehouse.test', `localhost.example.com:${port}`, `10.0.0.1:${port}`])
        expect([name, await asked({ host: name }, path)]).toEqual([name, 403])
      expect(await asked({ host, 'x-forwarded-for': '127.0.0.1' }, path)).toBe(403)
      expect(await asked({ host, forwarded: 'for=203.0.113.7' }, path)).toBe(403)
    }
  })

  it('is not shown to another machine, by any host name', needs('an address besides loopback', ownAddress !== undefined), async () => {
    const service = await aService({ environment: { HOST: '0.0.0.0' } })
    const { port } = new URL(service.origin)

    expect(await statusOf(`http://127.0.0.1:${port}/dev/mail`, { host: 'localhost' })).toBe(200)
    expect(await statusOf(`http://${ownAddress}:${port}/dev/mail`, { host: 'localhost' })).toBe(403)
  })

  it('has no page when a mail server is configured', async () => {
    const smtp = await anSmtpServer()
    const service = await aService({ environment: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } })

    expect(await service.anonymous.get('/dev/mail')).toMatchObject({ status: 404 })
  })
})

/** `fetch` cannot send another Host header. */
const statusOf = (url: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    get(url, { headers }, (response) => resolve(response.resume().statusCode)).on('error', reject)
  })
