import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A mail server that greets, and then sends one byte after the other of a response that never ends: it is slow, but never silent. */
export async function startDrippingSmtpServer(): Promise<{ port: number; stop: () => Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.write('220 dripping.test ESMTP\r\n')
    socket.once('data', () => {
      const dripping = setInterval(() => socket.write('2'), 100)
      socket.once('close', () => clearInterval(dripping))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
