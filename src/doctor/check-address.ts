import { randomBytes } from 'node:crypto'
import { type Check, type DoctorContext, type Finding, failure, ok, reasonOf, someOf } from './check.ts'
import { type Echo, echoCookie, echoPath, echoToken } from './echo.ts'

const askMilliseconds = 4_000

const ask = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(askMilliseconds) })

const publicUrl: Check = {
  name: 'public-url',
  group: 'address',
  title: 'PUBLIC_URL leads to this service',
  async run({ config: { port, publicUrl } }): Promise<Finding> {
    const passOn = `proxy_pass http://127.0.0.1:${port}`
    const address = `${publicUrl}/.well-known/openid-configuration`
    const why = 'Links in mails, redirects and the issuer of every token begin with PUBLIC_URL'
    let response: Response
    try {
      response = await ask(address)
    } catch (error) {
      const reason = reasonOf(error)
      return failure(`${address} cannot be reached from here: ${reason}`, { why, remedy: remedyOf(reason, publicUrl) })
    }
    if (response.status !== 200) {
      const location = response.headers.get('location')
      const isOfProxy = [502, 503, 504].includes(response.status)
      return failure(`${address} answers ${response.status}${location ? `, to ${location}` : ''}`, {
        why,
        remedy: isOfProxy
          ? `Start the service: the proxy answers, and reaches nothing behind it. Where the service runs, correct where the proxy passes requests on: ${passOn}`
          : `Set PUBLIC_URL to the origin where the service is without a redirect, and have the proxy pass every path on: location / { ${passOn}; }`,
      })
    }
    const document = (await response.json().catch(() => ({}))) as Record<string, unknown>
    if (document.issuer !== publicUrl) {
      return failure(`The discovery document there is of ${typeof document.issuer === 'string' ? document.issuer : 'no issuer'}`, {
        why: 'Applications compare the issuer with the address they asked, and refuse what differs',
        remedy: `Set PUBLIC_URL of the running service to ${publicUrl}, and start it again; or correct what ${publicUrl} leads to`,
      })
    }
    const elsewhere = Object.entries(document).filter(
      ([name, value]) => /_endpoint$|^jwks_uri$/.test(name) && typeof value === 'string' && !value.startsWith(`${publicUrl}/`),
    )
    if (elsewhere.length === 0) return ok(`${address} answers, with the same issuer`)
    return failure(`The discovery document there names other addresses: ${someOf(elsewhere.map(([name]) => name))}`, {
      why: 'Applications would send codes and secrets to another server',
      remedy: 'Have the proxy pass the document on as it is, without replacing addresses in it (no sub_filter)',
    })
  },
}

function remedyOf(reason: string, publicUrl: string): string {
  const { hostname, port, protocol } = new URL(publicUrl)
  if (/ENOTFOUND|EAI_AGAIN/.test(reason)) return `Have the name servers of this machine know ${hostname}, or correct PUBLIC_URL`
  if (/CERT_HAS_EXPIRED/.test(reason))
    return `Renew the certificate of ${hostname}, and have the proxy read it: nginx -s reload. If it has been renewed, set the clock of this machine`
  if (/CERT_NOT_YET_VALID/.test(reason)) return `Set the clock of this machine, or give the proxy a certificate that is valid now`
  if (/ALTNAME/.test(reason))
    return `Give the proxy a certificate that names ${hostname}, or set PUBLIC_URL to the name that its certificate has`
  if (/ERR_SSL_WRONG_VERSION_NUMBER/.test(reason))
    return `Have the proxy speak TLS on port ${port || 443}: listen ${port || 443} ssl; or correct the port in PUBLIC_URL`
  if (/CERT|certificate|SELF_SIGNED|ALTNAME/i.test(reason)) {
    return 'Have the proxy send its whole chain (ssl_certificate fullchain.pem) for this name; for a certificate authority of your own: NODE_EXTRA_CA_CERTS=/path/to/ca.pem'
  }
  return `Start the service and its proxy, correct PUBLIC_URL, or let this machine reach ${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

/** Asks the running service, at PUBLIC_URL, what arrives there. */
async function askEcho(
  { config, keyring, database }: DoctorContext,
  headers: Record<string, string>,
): Promise<{ echo: Echo; setCookies: string[] }> {
  const response = await ask(`${config.publicUrl}${echoPath}?token=${echoToken(keyring, database.clock.now())}`, headers)
  if (response.status !== 200) {
    throw new Error(
      response.status === 404
        ? 'The service at PUBLIC_URL does not know the doctor: it has another SECRET_KEY, a clock that is apart, or is of an earlier release'
        : `${echoPath} answers ${response.status}`,
    )
  }
  return { echo: (await response.json()) as Echo, setCookies: response.headers.getSetCookie() }
}

const cookies: Check = {
  name: 'proxy-cookies',
  group: 'address',
  after: 'public-url',
  title: 'Cookies pass the proxy unchanged, in both directions',
  async run(context): Promise<Finding> {
    const value = randomBytes(9).toString('base64url')
    const { echo, setCookies } = await askEcho(context, { cookie: `${echoCookie}=${value}` })
    const why = 'No user stays signed in without the cookie, and one without its attributes can be stolen'
    if (echo.cookie !== value) {
      return failure('The cookie of a request does not arrive', {
        why,
        remedy: 'nginx: proxy_set_header Cookie $http_cookie; (remove what empties it)',
      })
    }
    const returned = setCookies.find((cookie) => cookie.startsWith(`${echoCookie}=`))
    if (!returned) {
      return failure('The cookie of a response does not come back', {
        why,
        remedy: 'nginx: remove proxy_hide_header Set-Cookie and proxy_ignore_headers Set-Cookie',
      })
    }
    const [, ...attributes] = returned.split(';').map((part) => part.trim().toLowerCase())
    const lost = ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'].filter((attribute) => !attributes.includes(attribute.toLowerCase()))
    if (lost.length > 0) {
      return failure(`The cookie comes back without ${lost.join(', ')}`, {
        why,
        remedy:
          'nginx: remove proxy_cookie_flags and proxy_cookie_path from the location, so that cookies are passed on as the service sets them',
      })
    }
    const domain = attributes.find((attribute) => attribute.startsWith('domain='))
    if (domain)
      return failure(`The cookie comes back with ${domain}`, {
        why: 'Every host below that domain gets the session',
        remedy: 'nginx: remove proxy_cookie_domain',
      })
    return ok('A cookie arrives, and comes back with Secure, HttpOnly and SameSite')
  },
}

/** An address for documentation (RFC 5737), which no host has. */
const forged = '203.0.113.86'

const forwarded: Check = {
  name: 'proxy-forwarded',
  group: 'address',
  after: 'public-url',
  title: 'X-Forwarded-For is believed only of the proxy',
  async run(context): Promise<Finding> {
    const { echo } = await askEcho(context, { 'x-forwarded-for': forged })
    return judgeForwarded(echo, context.config.publicUrl.startsWith('https:'))
  },
}

/** @param isHttps whether there must be a proxy, since the service itself speaks http */
function judgeForwarded({ peer, address, forwardedFor, isPeerTrusted }: Echo, isHttps: boolean): Finding {
  const entries = forwardedFor?.split(',').map((entry) => entry.trim()) ?? []
  const why =
    'Limits, the audit log and the list of sessions go by the address of the caller: it must be neither the proxy’s nor one that the caller chooses'
  const passOn = 'nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'
  const added = entries.filter((entry) => entry !== forged)
  if (added.length === 0 && entries.length > 0) {
    if (isPeerTrusted || address === forged) {
      return failure(`${peer} is trusted as a proxy, and passes on what a caller writes into X-Forwarded-For`, {
        why,
        remedy: `${passOn} – or, if ${peer} is not a proxy: take it out of TRUST_PROXY`,
      })
    }
    if (!isHttps) return ok(`No proxy is in front, and X-Forwarded-For from a caller is ignored`)
    return failure(`The proxy at ${peer} does not say for whom it asks`, { why, remedy: `${passOn} and TRUST_PROXY=${peer}` })
  }
  if (entries.length === 0) {
    return failure(`The proxy at ${peer} removes X-Forwarded-For`, {
      why,
      remedy: `${passOn}${isPeerTrusted ? '' : ` and TRUST_PROXY=${peer}`}`,
    })
  }
  if (!isPeerTrusted)
    return failure(`The proxy at ${peer} is not trusted: every caller has its address`, { why, remedy: `TRUST_PROXY=${peer}` })
  if (address !== forged) return ok(`The proxy at ${peer} is trusted, and X-Forwarded-For from a caller is ignored`)
  // The doctor itself sends from a trusted address, such as this machine's own.
  return ok(`The proxy at ${peer} is trusted. The doctor asks from a trusted address, so the header of others was not tried`)
}

export const addressChecks: readonly Check[] = [publicUrl, cookies, forwarded]
