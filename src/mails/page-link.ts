import type { Language } from '../platform/language.ts'

/** The URL of a hosted page, for a mail. It opens in the requested language, or else in the browser's. */
export function pageLink(publicUrl: string, path: string, token: string | undefined, asked: Language | undefined): string {
  const parameters = new URLSearchParams({ ...(token !== undefined && { token }), ...(asked && { ui_locales: asked }) })
  return `${publicUrl}${path}${parameters.size === 0 ? '' : `?${parameters}`}`
}
