import { isInRange, parseRange, type Range } from './addresses.ts'
import type { PrivateHosts } from './outgoing.ts'

const hostname = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/
/** The pattern of a mistyped address, such as `10.0.0` or `10.0.0.256`, which is no name. */
const endsWithNumber = /(^|\.)(\d+|0x[\da-f]*)$/

/**
 * Parses a list of private destinations: host names, addresses, and ranges such as `10.1.2.0/24`, separated by commas. A name allows the
 * private addresses that it resolves to, a range every name that resolves into it.
 *
 * @returns undefined when the list contains anything else
 */
export function parsePrivateHosts(list: string): PrivateHosts | undefined {
  const ranges: Range[] = []
  const names = new Set<string>()
  const entries = list.trim() === '' ? [] : list.split(',').map((entry) => entry.trim().toLowerCase())
  for (const entry of entries) {
    const range = parseRange(entry)
    if (range) ranges.push(...range)
    else if (hostname.test(entry) && !endsWithNumber.test(entry)) names.add(entry)
    else return undefined
  }
  return (name, address) => names.has(name.toLowerCase()) || isInRange(address, ranges)
}
