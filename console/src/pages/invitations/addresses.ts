export interface Addresses {
  /** Each address once, in the order of the text. */
  addresses: string[]
  /** What was written more than once. */
  repeated: string[]
  /** What is no address. */
  unreadable: string[]
}

/**
 * The e-mail addresses in a text: separated by lines, commas, semicolons or spaces, and with names beside them, as mail
 * programs write them (`Anna Shaw <anna@acme.test>`). Whether an address is one that can be invited is for the API to say.
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
