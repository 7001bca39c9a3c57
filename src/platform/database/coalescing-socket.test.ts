import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CoalescingSocket } from './coalescing-socket.ts'

describe('a socket that coalesces its writes', () => {
  it('sends what one turn of the event loop writes in one call, once it is connected', async () => {
    const server = createServer((socket) => void socket.resume())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const calls: string[] = []
    const socket = new (class extends CoalescingSocket {
      override _write(chunk: Buffer, encoding: BufferEncoding, sent: (error?: Error | null) => void): void {
        calls.push(chunk.toString())
        super._write(chunk, encoding, sent)
      }
    })()
    socket.connect((server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')

    for (const part of ['bind', 'execute', 'sync']) socket.write(part)
    socket.end()
    await once(socket, 'close')
    expect(calls).toEqual(['bindexecutesync'])
  })

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
