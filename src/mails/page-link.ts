import type { Language } from '../platform/language.ts'

/** The address of a hosted page, for a mail. It opens in the language that was asked for, else in that of the browser. */
export function pageLink(publicUrl: string, path: string, token: string | undefined, asked: Language | undefined): string {
  const parameters = new URLSearchParams({ ...(token !== undefined && { token }), ...(asked && { ui_locales: asked }) })
  return `${publicUrl}${path}${parameters.size === 0 ? '' : `?${parameters}`}`
}
