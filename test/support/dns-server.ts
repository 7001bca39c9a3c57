import { Socket } from 'node:net'
import DNS from 'dns2'
import { freePort } from './free-port.ts'

/** What a name server says about a name. */
interface DnsBehaviour {
  texts?: readonly string[]
  status?: 'SERVFAIL' | 'REFUSED'
  /** Never responds. */
  isSilent?: boolean
  afterMilliseconds?: number
}

const codes = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }

/** A real name server, over UDP and TCP, that has the texts which a test has given it. Any other name does not exist. */
export class TestDnsServer {
  readonly address: string
  /** What was asked for, and how. */
  readonly questions: { name: string; over: 'udp' | 'tcp' }[] = []
  readonly #behaviours = new Map<string, DnsBehaviour>()

  private constructor(address: string) {
    this.address = address
  }

  static async start(): Promise<TestDnsServer> {
    for (;;) {
      const server = await TestDnsServer.#startAt(await freePort()).catch((error: NodeJS.ErrnoException) => error)
      if (server instanceof TestDnsServer) return server
      // The port is free for one of UDP and TCP, or was a moment ago.
      if (server.code !== 'EADDRINUSE') throw server
    }
  }

  static async #startAt(port: number): Promise<TestDnsServer> {
    const server = new TestDnsServer(`127.0.0.1:${port}`)
    const dns = DNS.createServer({
      udp: true,
      tcp: true,
      handle: (request, send, client) => {
        const response = DNS.Packet.createResponseFromRequest(request)
        const name = request.questions[0]?.name.toLowerCase() ?? ''
        server.questions.push({ name, over: client instanceof Socket ? 'tcp' : 'udp' })
        const { texts, status, isSilent, afterMilliseconds = 0 } = server.#behaviours.get(name) ?? {}
        if (isSilent) return
        if (status) response.header.rcode = codes[status]
        else if (!texts) response.header.rcode = codes.NXDOMAIN
        else
          response.answers = texts.map((data) => ({ name, type: DNS.Packet.TYPE.TXT, class: DNS.Packet.CLASS.IN, ttl: 1, data })) as never
        setTimeout(() => void send(response), afterMilliseconds)
      },
    })
    await new Promise<void>((resolve, reject) => {
      dns.once('error', reject)
      dns.listen({ udp: { port, address: '127.0.0.1' }, tcp: { port, address: '127.0.0.1' } }).then(() => resolve(), reject)
    })
    return server
  }

  /** Has it say this about a name from now on. */
  set(name: string, behaviour: DnsBehaviour): void {
    this.#behaviours.set(name.toLowerCase(), behaviour)
  }

  /** Has it say that the name does not exist. */
  remove(name: string): void {
    this.#behaviours.delete(name.toLowerCase())
  }
}

let shared: Promise<TestDnsServer> | undefined

/** The name server of all services that tests start, so that none asks those of the machine. It ends with the thread. */
export function testDnsServer(): Promise<TestDnsServer> {
  shared ??= TestDnsServer.start()
  return shared
}
