import { randomBytes } from 'node:crypto'
import type { Finding } from '../../shared/doctor-findings/findings.ts'
import { codeOfSystem, isOfCertificate } from '../platform/system-errors.ts'
import { type Check, type DoctorContext, failure, ok, reasonOf } from './check.ts'
import { type Echo, echoCookie, echoPath, echoToken } from './echo.ts'

const askMilliseconds = 4_000

const ask = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(askMilliseconds) })

const publicUrl: Check = {
  name: 'public-url',
  group: 'address',
  title: 'PUBLIC_URL leads to this service',
  async run({ config: { port: servicePort, publicUrl } }) {
    const address = `${publicUrl}/.well-known/openid-configuration`
    let response: Response
    try {
      response = await ask(address)
    } catch (error) {
      const { hostname: host, port, protocol } = new URL(publicUrl)
      const values = { address, reason: reasonOf(error), host, port: Number(port) || (protocol === 'https:' ? 443 : 80) }
      return failure(whyNotReached(codeOfSystem(error)), values)
    }
    const { status } = response
    if (status !== 200) {
      const isOfProxy = [502, 503, 504].includes(status)
      const values = { address, status, location: response.headers.get('location'), servicePort }
      return failure(isOfProxy ? 'public-url-without-service' : 'public-url-refused', values)
    }
    const document = (await response.json().catch(() => ({}))) as Record<string, unknown>
    if (document.issuer !== publicUrl) {
      return failure('public-url-of-another-issuer', { issuer: typeof document.issuer === 'string' ? document.issuer : null, publicUrl })
    }
    const elsewhere = Object.entries(document).filter(
      ([name, value]) => /_endpoint$|^jwks_uri$/.test(name) && typeof value === 'string' && !value.startsWith(`${publicUrl}/`),
    )
    if (elsewhere.length === 0) return ok('public-url-answers', { address })
    return failure('public-url-names-other-addresses', { fields: elsewhere.map(([name]) => name) })
  },
}

function whyNotReached(code: string | undefined) {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'public-url-host-unknown'
    case 'CERT_HAS_EXPIRED':
      return 'public-url-certificate-expired'
    case 'CERT_NOT_YET_VALID':
      return 'public-url-certificate-not-yet-valid'
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'public-url-certificate-of-another-host'
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return 'public-url-without-tls'
    default:
      return isOfCertificate(code) ? 'public-url-certificate-untrusted' : 'public-url-unreachable'
  }
}

interface Answer {
  echo: Echo
  setCookies: string[]
}

/** Asks the running service, at PUBLIC_URL, what arrives there. @returns a finding where it does not say it */
async function askEcho({ config, keyring, database }: DoctorContext, headers: Record<string, string>): Promise<Answer | Finding> {
  const response = await ask(`${config.publicUrl}${echoPath}?token=${echoToken(keyring, database.clock.now())}`, headers)
  if (response.status === 404) return failure('doctor-not-known-at-public-url')
  if (response.status !== 200) return failure('echo-refused', { path: echoPath, status: response.status })
  return { echo: (await response.json()) as Echo, setCookies: response.headers.getSetCookie() }
}

const cookies: Check = {
  name: 'proxy-cookies',
  group: 'address',
  after: 'public-url',
  title: 'Cookies pass the proxy unchanged, in both directions',
  async run(context) {
    const value = randomBytes(9).toString('base64url')
    const answer = await askEcho(context, { cookie: `${echoCookie}=${value}` })
    if ('code' in answer) return answer
    if (answer.echo.cookie !== value) return failure('cookie-does-not-arrive')
    const returned = answer.setCookies.find((cookie) => cookie.startsWith(`${echoCookie}=`))
    if (!returned) return failure('cookie-does-not-return')
    const [, ...attributes] = returned.split(';').map((part) => part.trim().toLowerCase())
    const lost = ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'].filter((attribute) => !attributes.includes(attribute.toLowerCase()))
    if (lost.length > 0) return failure('cookie-without-attributes', { attributes: lost })
    const domain = attributes.find((attribute) => attribute.startsWith('domain='))
    return domain ? failure('cookie-with-domain', { attribute: domain }) : ok('cookies-pass')
  },
}

/** An address for documentation (RFC 5737), which no host has. */
const forged = '203.0.113.86'

const forwarded: Check = {
  name: 'proxy-forwarded',
  group: 'address',
  after: 'public-url',
  title: 'X-Forwarded-For is believed only of the proxy',
  async run(context) {
    const answer = await askEcho(context, { 'x-forwarded-for': forged })
    return 'code' in answer ? answer : judgeForwarded(answer.echo, context.config.publicUrl.startsWith('https:'))
  },
}

/** @param isHttps whether there must be a proxy, since the service itself speaks http */
function judgeForwarded({ peer: proxy, address, forwardedFor, isPeerTrusted: isTrusted }: Echo, isHttps: boolean): Finding {
  const entries = forwardedFor?.split(',').map((entry) => entry.trim()) ?? []
  const added = entries.filter((entry) => entry !== forged)
  if (added.length === 0 && entries.length > 0) {
    if (isTrusted || address === forged) return failure('proxy-passes-header-on', { proxy })
    return isHttps ? failure('proxy-does-not-forward', { proxy }) : ok('no-proxy')
  }
  if (entries.length === 0) return failure('proxy-removes-header', { proxy, isTrusted })
  if (!isTrusted) return failure('proxy-not-trusted', { proxy })
  if (address !== forged) return ok('proxy-trusted', { proxy })
  // The doctor itself sends from a trusted address, such as this machine's own.
  return ok('proxy-trusted-header-not-tried', { proxy })
}

export const addressChecks: readonly Check[] = [publicUrl, cookies, forwarded]
