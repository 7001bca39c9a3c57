import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createRangeServer } from './range-server.ts'

const sha1 = Buffer.from('5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8', 'hex')
const suffix = '1E4C9B93F3F0682250B6CF8331B7EE68FD8'

/** Calls a server on this machine, without TLS. */
async function asking(listener: RequestListener, { hostname = '127.0.0.1', timeoutMilliseconds = 20_000 } = {}) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const options = { timeoutMilliseconds, resolve: async () => ['127.0.0.1', '192.168.1.1'] }
  const asked = createRangeServer(`http://${hostname}:${port}/range/`, { now: () => new Date() }, options)
  onTestFinished(async () => {
    await asked.close()
    server.closeAllConnections()
    server.close()
  })
  return asked.has(sha1)
}

describe('a range server on this machine', () => {
  it('is asked without TLS', async () => {
    let path: string | undefined
    const found = await asking((request, response) => {
      path = request.url
      response.end(`${suffix}:3\r\n`)
    })

    expect([found, path]).toEqual([true, '/range/5BAA6'])
  })

  it('may not be called so by a name that is also of another machine', async () => {
    const asked = asking((_, response) => response.end(`${suffix}:3`), { hostname: 'ranges.test' })

    await expect(asked).rejects.toMatchObject({
      reason: 'connection',
      detail: 'ranges.test is not this machine, and must be called by https',
    })
  })

  it('has one time limit, however slowly it responds', async () => {
    const asked = asking(
      (_, response) => {
        response.write(`${suffix}:3\r\n`)
        const trickle = setInterval(() => response.write('0'.repeat(35)), 20)
        response.on('close', () => clearInterval(trickle))
      },
      { timeoutMilliseconds: 300 },
    )

    await expect(asked).rejects.toMatchObject({ reason: 'timeout' })
  })

  it.each([
    ['before it responds', (_, response) => response.destroy()],
    ['in the middle of its response', (_, response) => response.write(`${suffix}:3\r\n`, () => response.destroy())],
  ] as [string, RequestListener][])('may close the connection %s', async (_, listener) => {
    await expect(asking(listener)).rejects.toMatchObject({ reason: 'connection', detail: expect.stringMatching(/^[A-Z_]+$/) })
  })
})
