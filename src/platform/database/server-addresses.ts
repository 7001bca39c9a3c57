/** `postgres://user:password@`, the hosts, and the rest of an address. */
const form = /^([^:/?#]*:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s
const withPort = 5432
/** Those that ask for a server that takes writes. */
const attributes = ['read-write', 'primary']

/** The addresses of the servers that one address names, as `postgres://user@a:5432,b:5433/database` does for libpq. */
export function serverUrls(databaseUrl: string): string[] {
  const [, start, hosts, rest] = form.exec(databaseUrl) ?? []
  return hosts?.includes(',') ? hosts.split(',').map((host) => `${start}${host}${rest}`) : [databaseUrl]
}

/**
 * The address of a server as the driver is given it: a certificate is verified unless the address says `no-verify`. The driver takes the other
 * modes for `verify-full`, too, and warns that a later release of it will check less.
 */
export const driverUrl = (serverUrl: string): string =>
  /[?&]uselibpqcompat=true(&|$)/.test(serverUrl)
    ? serverUrl
    : serverUrl.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')

/** The server of an address, for people: `a:5432`. */
export function serverName(serverUrl: string): string {
  const { hostname, port } = new URL(serverUrl)
  return `${decodeURIComponent(hostname) || 'localhost'}:${port || withPort}`
}

/** @returns what an address with several hosts must be; undefined if it is. One host may come with any parameter, as ever */
export function mistakeOfHosts(databaseUrl: string): string | undefined {
  const urls = serverUrls(databaseUrl)
  if (urls.length === 1) return undefined
  if (urls.some((url) => new URL(url).hostname === '')) return 'a URL without an empty host between its commas'
  if (new Set(urls.map((url) => serverName(url).toLowerCase())).size < urls.length) return 'a URL that names each of its hosts once'
  const { searchParams } = new URL(urls[0] as string)
  if (['host', 'hostaddr', 'port'].some((name) => searchParams.has(name)))
    return 'a URL with its hosts before the slash, and without host, hostaddr and port as parameters'
  const wanted = searchParams.get('target_session_attrs')
  if (wanted !== null && !attributes.includes(wanted))
    return `a URL whose target_session_attrs is ${attributes.join(' or ')}, or missing: the service has to write`
  return undefined
}
