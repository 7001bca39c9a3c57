/**
 * Returns the options for reaching a mail server. @param url `smtp://` or `smtps://`, with user and password if the server requires them
 */
export function connectionOptions(url: string, timeoutMilliseconds: number) {
  const { hostname, port, username, password, protocol, searchParams } = new URL(url)
  const secure = protocol === 'smtps:'
  return {
    // A URL has an IPv6 address in brackets, a socket has it without.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTLS: searchParams.get('starttls') === 'required',
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: timeoutMilliseconds,
    greetingTimeout: timeoutMilliseconds,
    socketTimeout: timeoutMilliseconds,
  }
}
