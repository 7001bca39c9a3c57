/** The destination of an address: its host, or the scheme of an application on the device; undefined for any other text. */
export function destinationOf(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined
  const { hostname, protocol } = new URL(uri)
  return hostname || protocol
}

/** The distinct destinations of addresses that are not among those of the known addresses. */
export function newDestinations(uris: readonly string[], known: readonly string[]): string[] {
  const registered = new Set(known.map(destinationOf))
  return [...new Set(uris.map(destinationOf))].filter((one) => one !== undefined && !registered.has(one)) as string[]
}
