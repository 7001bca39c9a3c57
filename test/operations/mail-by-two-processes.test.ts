import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { smtpTransport } from '../../src/platform/mail/transports.ts'
import { freshPostgresUrl } from '../support/database.ts'
import { newOwner } from '../support/new-owner.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts'
import { TestSmtpServer } from '../support/smtp-server.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function aService(options: TestServiceOptions): Promise<TestService> {
  const service = await startTestService(options)
  stops.push(() => service.stop())
  return service
}

async function anSmtpServer(): Promise<TestSmtpServer> {
  const smtp = await TestSmtpServer.start()
  stops.push(() => smtp.stop())
  return smtp
}

const transportTo = ({ port }: { port: number }) => smtpTransport(`smtp://127.0.0.1:${port}`)

describe('a mail by SMTP', () => {
  it('is sent once by two processes', async () => {
    const smtp = await anSmtpServer()
    const url = await freshPostgresUrl()
    const secretKey = randomBytes(32)
    const services = await Promise.all(
      [1, 2].map(() => aService({ engine: openPostgres(url, { poolSize: 5 }), secretKey, mailTransport: transportTo(smtp) })),
    )

    const addresses = await Promise.all(Array.from({ length: 12 }, (_, index) => newOwner(services[index % 2] as TestService)))

    await expect.poll(() => smtp.mails.length).toBe(addresses.length)
    const database = services[0]?.database
    const unsent = () => database?.system().selectFrom('mails').select('id').where('sentAt', 'is', null).execute()
    await expect.poll(unsent).toEqual([])
    for (const address of addresses) expect(smtp.mailsTo(address)).toHaveLength(1)
  })
})
