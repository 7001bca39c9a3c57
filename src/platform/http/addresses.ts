import { isIPv4, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Range = [Address, number]

const unknownAddress = 'unknown'

/**
 * The caller's address as it is stored and as limits count it: an IPv4 or IPv6 address in its canonical form, or `unknown`. Behind a
 * trusted proxy it is the proxy's claim, which may be any text.
 */
export const callerAddress = (request: FastifyRequest): string => canonicalAddress(request.ip) ?? unknownAddress

/**
 * The canonical form of an IP address: without port, brackets and zone; an IPv4 address that is mapped into IPv6 is the
 * IPv4 address. Undefined for any other text.
 */
export function canonicalAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  // This is the usual case. Node accepts only the canonical form, neither `127.1` nor `0177.0.0.1`.
  if (isIPv4(text)) return text
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/.exec(text) ?? []
  const bare = (bracketed ?? dotted ?? text).replace(/%.*$/s, '')
  return isIPv4(bare) || isIPv6(bare) ? ipaddr.process(bare).toString() : undefined
}

/** The network that a limit by address counts: of IPv6 the /64, since a single subscriber has all of its addresses. */
export function networkOf(address: string): string {
  const canonical = canonicalAddress(address)
  if (canonical === undefined) return unknownAddress
  if (isIPv4(canonical)) return canonical
  const network = ipaddr.IPv6.parse(canonical).parts.map((part, index) => (index < 4 ? part : 0))
  return `${new ipaddr.IPv6(network)}/64`
}

/** Whether an address is one of this machine. */
const isLoopbackAddress = (address: string | undefined): boolean => rangeOf(address) === 'loopback'

const privateRanges = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'])

/** Whether an address is of this machine or of a network that is not routed in the internet. */
export const isPrivateAddress = (address: string | undefined): boolean => privateRanges.has(rangeOf(address) ?? '')

function rangeOf(address: string | undefined): string | undefined {
  const canonical = canonicalAddress(address)
  return canonical === undefined ? undefined : ipaddr.parse(canonical).range()
}

/** Whether a host name, as a URL or a Host header has it without its port, is one of this machine. */
export function isLoopbackHost(hostname: string): boolean {
  const bare = hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return bare === 'localhost' || bare.endsWith('.localhost') || isLoopbackAddress(bare)
}

/** Whether what is sent to a URL cannot be read on the way: it goes by https, or stays on this machine (RFC 8252 §7.3). */
export const isHttpsOrLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))

/** Whether the caller's own connection comes from this machine and names this machine as its host: no proxy, no rebound name. */
export function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  const [, hostname = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/.exec(headers.host ?? '') ?? []
  return !isForwarded && isLoopbackAddress(socket.remoteAddress) && isLoopbackHost(hostname)
}

/**
 * Reads a list of proxies: addresses, ranges such as `10.0.0.0/8`, and `loopback`, separated by commas.
 *
 * @returns a function that tells whether an address is that of a proxy; undefined when the list contains anything else
 */
export function parseProxies(list: string): ((address: string) => boolean) | undefined {
  const ranges: Range[] = []
  for (const entry of list.split(',').map((entry) => entry.trim())) {
    const parsed = entry === 'loopback' ? loopback : parseRange(entry)
    if (!parsed) return undefined
    ranges.push(...parsed)
  }
  return (address) => isInRange(address, ranges)
}

const loopback: Range[] = [ipaddr.parseCIDR('127.0.0.0/8'), ipaddr.parseCIDR('::1/128')]

/** Whether an address is in one of the ranges. */
export function isInRange(text: string, ranges: readonly Range[]): boolean {
  const canonical = canonicalAddress(text)
  if (canonical === undefined) return false
  const address = ipaddr.parse(canonical)
  return ranges.some((range) => address.kind() === range[0].kind() && address.match(range as [ipaddr.IPv4, number]))
}

/** Reads an address, or a range such as `10.0.0.0/8`; undefined for any other text. */
export function parseRange(entry: string): [Range] | undefined {
  const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  if (!isIPv4(address) && !isIPv6(address)) return undefined
  const parsed = ipaddr.parse(address)
  const bits = parsed.kind() === 'ipv4' ? 32 : 128
  const length = prefix === undefined ? bits : Number(prefix)
  if (length > bits) return undefined
  // Addresses are compared in their canonical form, where a mapped IPv4 address is one of IPv4.
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && length >= 96) return [[parsed.toIPv4Address(), length - 96]]
  return [[parsed, length]]
}
