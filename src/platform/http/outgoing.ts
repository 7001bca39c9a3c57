import { connect as connectTcp, isIP, type LookupFunction, type Socket, type TcpSocketConnectOpts } from 'node:net'
import { type ConnectionOptions, connect as connectTls, createSecureContext, type SecureContext } from 'node:tls'
import ipaddr from 'ipaddr.js'
import type { buildConnector } from 'undici'
import { isLoopbackHost } from './addresses.ts'

/** Every address of a name. */
export type Resolve = (hostname: string) => Promise<string[]>

/** The destination has an address that the service must not call: server-side request forgery. */
export class ForbiddenDestination extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'ForbiddenDestination'
  }
}

const privateRanges: Readonly<Record<string, string>> = {
  loopback: 'a loopback address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  carrierGradeNat: 'a private address',
}
const otherRanges: Readonly<Record<string, string>> = {
  linkLocal: 'a link-local address',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
  unspecified: 'the unspecified address',
}
const httpsPort = 443
// Node's default for each of several addresses is 250 ms, which a distant receiver exceeds.
const perAddressMilliseconds = 2_000
// The metadata services of clouds give out credentials, at addresses outside the link-local ranges.
const metadataAddresses = new Set(['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16'])
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/** Whether the operator has allowed a private address, by itself or for a name that resolves to it. */
export type PrivateHosts = (hostname: string, address: string) => boolean

/** The subject of outgoing requests, and the destinations that they may reach. */
export interface OutgoingRules {
  /** The subject in the plural, for a refusal to name: `webhooks`. */
  what: string
  /** Whether every loopback and private address may be called. */
  allowPrivateAddresses: boolean
  /** Whether this machine may be called, even by `http:`: during development, or where the operator has chosen the URL. */
  allowLoopback?: boolean
  /** Single private destinations that may be called. */
  privateHosts?: PrivateHosts
  /**
   * The certificate, in PEM, of a program at a port of this machine that may
   * be called by https, even if all other private destinations are closed.
   */
  localReceiver?: ((port: number) => string | undefined) | undefined
  /** The setting that allows them, for a refusal to name. */
  setting: string
}

/** The kind of a forbidden address, and whether the operator can allow it. */
interface Forbidden {
  kind: string
  isLiftable: boolean
}

/**
 * The reason why no connection may go to an address; undefined when one may. Only addresses that are routed in the public internet may be
 * called: no special range of IPv4 or IPv6, no address that is translated to another one on its way (6to4, Teredo, NAT64), and no metadata
 * service of a cloud, some of which have a private or even a public address.
 *
 * @param address accepts odd spellings such as `2130706433`, `0x7f.1` or `::ffff:127.0.0.1`
 */
export function whyForbidden(address: string, allowPrivateAddresses: boolean): Forbidden | undefined {
  const never = (kind: string) => ({ kind, isLiftable: false })
  if (!ipaddr.isValid(address)) return never('no address')
  const parsed = ipaddr.process(address)
  const [withoutScope = ''] = parsed.toString().split('%')
  if (metadataAddresses.has(withoutScope)) return never('the metadata service of a cloud')
  const range = parsed.range()
  const privateKind = privateRanges[range]
  if (privateKind) return allowPrivateAddresses ? undefined : { kind: privateKind, isLiftable: true }
  const isPublic = range === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast))
  return isPublic ? undefined : never(otherRanges[range] ?? 'no address of the public internet')
}

/**
 * The reason why a URL with a literal address must not be called, in words for people; undefined when it may be.
 */
export function whyLiteralForbidden(url: string, rules: OutgoingRules): string | undefined {
  const { hostname, port } = new URL(url)
  const literal = literalOf(hostname)
  const forbidden = literal === undefined ? undefined : whyClosed({ hostname: literal, port: Number(port || httpsPort) }, literal, rules)
  return forbidden && explain(`${literal} is`, forbidden, rules)
}

/** Whether a URL is plain http where the guard would never make a plain connection. */
export const isPlainElsewhere = ({ protocol, hostname }: URL, { allowLoopback = false }: OutgoingRules): boolean =>
  protocol === 'http:' && !(allowLoopback && isLoopbackHost(hostname))

interface Destination {
  hostname: string
  port: number
}

/** The reason why no connection may go to an address of a host, given all that the operator has allowed. */
function whyClosed({ hostname, port }: Destination, address: string, rules: OutgoingRules): Forbidden | undefined {
  const forbidden = whyForbidden(address, rules.allowPrivateAddresses)
  if (!forbidden?.isLiftable) return forbidden
  const isOfThisMachine = isLoopback(address) && (rules.allowLoopback || rules.localReceiver?.(port) !== undefined)
  const isOpen = isOfThisMachine || rules.privateHosts?.(hostname, address)
  return isOpen ? undefined : forbidden
}

const isLoopback = (address: string) => ipaddr.process(address).range() === 'loopback'

const explain = (subject: string, { kind, isLiftable }: Forbidden, { what, setting }: OutgoingRules) =>
  `${subject} ${kind}${isLiftable ? `: ${setting}` : `, where ${what} never go`}`

/**
 * The reason why a destination must not be connected to, given all its addresses. For a name it names the kind of address that the name
 * resolves to, never the address: that would show the layout of the network to the administrator who entered the name.
 */
function whyDestinationForbidden(destination: Destination, addresses: readonly string[], rules: OutgoingRules): string | undefined {
  const { hostname } = destination
  if (addresses.length === 0) return `${hostname} resolves to no address`
  const subject = literalOf(hostname) === undefined ? `${hostname} resolves to` : `${hostname} is`
  const forbidden = addresses.map((address) => whyClosed(destination, address, rules)).find((reason) => reason !== undefined)
  return forbidden && explain(subject, forbidden, rules)
}

/** The host as an address; undefined when it is a name. */
function literalOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(bare) ? bare : undefined
}

export interface ConnectOptions {
  rules: OutgoingRules
  resolve: Resolve
  timeoutMilliseconds: number
  /** Further authorities to trust, in addition to those of the runtime and `NODE_EXTRA_CA_CERTS`. */
  ca?: string | undefined
}

/**
 * Connects to destinations, by TLS unless the URL is `http:`, which is only for this machine, and only where the rules allow that. The
 * check is made here, when connecting, and the socket connects only to the checked addresses: a name that resolves to another address a
 * moment later (DNS rebinding) gains nothing.
 */
export function guardedConnector(options: ConnectOptions): buildConnector.connector {
  // All connections share it: creating it takes longer than a refused connection.
  const secureContext = createSecureContext(options.ca === undefined ? {} : { ca: options.ca })
  return ({ hostname, port, protocol }, callback) => {
    const isPlain = protocol === 'http:'
    open(hostname, Number(port || (isPlain ? 80 : httpsPort)), { ...options, secureContext: isPlain ? undefined : secureContext }).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    )
  }
}

/** @param options without a secure context, the connection is plain */
async function open(
  hostname: string,
  port: number,
  options: ConnectOptions & { secureContext: SecureContext | undefined },
): Promise<Socket> {
  const deadline = performance.now() + options.timeoutMilliseconds
  const literal = literalOf(hostname)
  const addresses = literal === undefined ? await options.resolve(hostname) : [literal]
  const { secureContext: ordinary } = options
  const reason = whyDestinationForbidden({ hostname, port }, addresses, options.rules)
  if (reason !== undefined) throw new ForbiddenDestination(reason)
  const receiver = ordinary && addresses.every(isLoopback) ? options.rules.localReceiver?.(port) : undefined
  const secureContext = receiver === undefined ? ordinary : createSecureContext({ ca: receiver })
  if (!secureContext && !options.rules.allowLoopback) throw new ForbiddenDestination(`${hostname} must be called by https`)
  if (!secureContext && !addresses.every(isLoopback)) {
    throw new ForbiddenDestination(`${hostname} is not this machine, and must be called by https`)
  }
  const checked = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_hostname, { all }, done) => {
    if (all) done(null, checked)
    else done(null, checked[0]?.address ?? '', checked[0]?.family)
  }
  return new Promise((resolve, reject) => {
    const target: TcpSocketConnectOpts = {
      host: literal ?? hostname,
      port,
      lookup,
      autoSelectFamilyAttemptTimeout: perAddressMilliseconds,
    }
    const byTls: ConnectionOptions = {
      ...target,
      ...(literal === undefined && { servername: hostname }),
      ALPNProtocols: ['http/1.1'],
      ...(secureContext && { secureContext }),
    }
    const socket = secureContext ? connectTls(byTls) : connectTcp(target)
    const timer = setTimeout(() => socket.destroy(new Error('The connection took too long')), Math.max(1, deadline - performance.now()))
    const fail = (error: Error) => {
      clearTimeout(timer)
      reject(error)
    }
    socket.setNoDelay(true)
    socket.once('error', fail)
    socket.once(secureContext ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      socket.off('error', fail)
      resolve(socket)
    })
  })
}
