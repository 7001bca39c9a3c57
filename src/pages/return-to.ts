/** The base of a path: a path of ours keeps this origin, and anything that leads elsewhere changes it. */
const ourOrigin = 'https://origin.invalid'
const returnToMax = 2_000
// Browsers drop tabs and line breaks from a URL, and some decode twice: no path of ours contains either.
const plainPath = /^\/[\w\-.~!$&'()*+,;=:@%/?]*$/

/**
 * Returns the path of this origin that a page may redirect to; undefined for anything else. An attacker can write the link that contains
 * it, so `//evil.example`, `/\evil.example` and the like must not get through.
 */
export function parseReturnTo(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > returnToMax || !plainPath.test(value)) return undefined
  if (value.startsWith('//') || !URL.canParse(value, ourOrigin)) return undefined
  const url = new URL(value, ourOrigin)
  // Dots may have made the path begin with two slashes, which as a redirect would name a host.
  if (url.origin !== ourOrigin || url.pathname.startsWith('//')) return undefined
  const isRefused = decodesToHost(url.pathname) || hasAnotherSpelling(url.pathname) || isStart(url.pathname)
  return isRefused ? undefined : url.pathname + url.search
}

/** The same path of ours in other languages. The console has a language of its own. */
export function inLanguage(path: string, uiLocales: string | undefined): string {
  if (uiLocales === undefined || isOfConsole(path)) return path
  const { pathname, searchParams } = new URL(path, ourOrigin)
  searchParams.set('ui_locales', uiLocales)
  return `${pathname}?${searchParams}`
}

/** Whether a path is that of a page of the console. */
export const isOfConsole = (path: string): boolean => /^\/console(?:[/?]|$)/.test(path)

/**
 * Whether the path has a letter, a digit or one of `-._~` as its code. To the router it is the path with the character itself (RFC 3986 §6.2.2.2), but
 * not to a comparison of how it begins.
 */
const hasAnotherSpelling = (pathname: string): boolean => /%(2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i.test(pathname)

/**
 * Whether the path begins a sign-in at an identity provider. A page of ours would lead there without the question that comes before
 * others, whatever the source of the link.
 */
const isStart = (pathname: string): boolean => /^\/federation\/.*\/start$/s.test(decodeURIComponent(pathname))

/** Whether a proxy that decodes the path would see a host in it. */
function decodesToHost(pathname: string): boolean {
  try {
    return /^\/+[/\\]/.test(decodeURIComponent(pathname))
  } catch {
    return true
  }
}
