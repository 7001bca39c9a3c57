import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CoalescingSocket } from './coalescing-socket.ts'

describe('a socket that coalesces its writes', () => {
  it('closes when the other side ends it, also in the turn in which it was written to', { timeout: 5_000 }, async () => {
    const received: string[] = []
    const server = createServer((socket) => void socket.on('data', (data) => received.push(data.toString())).end('the end'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())

    const socket = new CoalescingSocket()
    socket.on('error', () => {}).connect((server.address() as AddressInfo).port, '127.0.0.1')
    // The driver writes a statement in this way. Node ends the socket in the same turn.
    socket.on('end', () => {
      socket.cork()
      socket.write('one more')
    })
    socket.resume()
    await once(socket, 'close')

    expect(socket.writableFinished).toBe(true)
    await expect.poll(() => received).toEqual(['one more'])
  })
})
