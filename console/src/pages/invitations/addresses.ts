export interface Addresses {
  /** The distinct addresses, in the order of the text. */
  addresses: string[]
  /** Addresses that occur more than once. */
  repeated: string[]
  /** Texts that are no addresses. */
  unreadable: string[]
}

/**
 * Extracts the e-mail addresses from a text: separated by lines, commas, semicolons or spaces, and with names in the style of mail
 * programs (`Anna Shaw <anna@acme.test>`). The API decides whether an address can be invited.
 */
export function parseAddresses(text: string): Addresses {
  const found: string[] = []
  const unreadable: string[] = []
  for (const entry of text.split(/[\n\r,;]+/)) {
    const bracketed = [...entry.matchAll(/<([^<>]*)>/g)].map(([, inside = '']) => inside.trim())
    const words = bracketed.length > 0 ? bracketed : entry.split(/\s+/)
    const addresses = words.map((word) => word.replace(/^mailto:/i, '')).filter((word) => /[^@]@[^@]/.test(word))
    found.push(...addresses)
    if (addresses.length === 0 && entry.trim()) unreadable.push(entry.trim())
  }
  const seen = new Set<string>()
  const repeated = new Set<string>()
  const addresses = found.filter((address) => {
    const key = address.toLowerCase()
    if (seen.has(key)) repeated.add(key)
    return !seen.has(key) && seen.add(key)
  })
  return { addresses, repeated: [...repeated], unreadable }
}
