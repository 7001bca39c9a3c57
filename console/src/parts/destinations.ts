/** Where an address leads: its host, or the scheme of an application on the device; undefined for what is no address. */
export function destinationOf(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined
  const { hostname, protocol } = new URL(uri)
  return hostname || protocol
}

/** The destinations of addresses to which none of the known addresses leads, each once. */
export function newDestinations(uris: readonly string[], known: readonly string[]): string[] {
  const registered = new Set(known.map(destinationOf))
  return [...new Set(uris.map(destinationOf))].filter((one) => one !== undefined && !registered.has(one)) as string[]
}
