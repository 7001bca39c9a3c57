import type { FastifyRequest } from 'fastify'

/** Every language in which people are spoken to, by its BCP 47 tag. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** For a reader who understands none of them, or has not said. */
export const fallbackLanguage = 'en' satisfies Language

/**
 * The first that we have of `ui_locales` (OpenID Connect Core §3.1.2.1, best first, separated by spaces), else of
 * `Accept-Language`; undefined when they name none of ours.
 */
export function wantedLanguage(uiLocales: string | undefined, acceptLanguage: string | undefined): Language | undefined {
  const wanted = [...(uiLocales?.split(' ') ?? []), ...parseAcceptLanguage(acceptLanguage ?? '')]
  for (const tag of wanted) {
    const language = languages.find((known) => known === tag.toLowerCase().split('-')[0])
    if (language) return language
  }
  return undefined
}

/** The language that a caller of the API asks for; undefined when it is none of ours, or they have not said. */
export function languageOf({ headers }: FastifyRequest): Language | undefined {
  return wantedLanguage(undefined, headers['accept-language'])
}

/** Language tags, the most wanted first: RFC 9110 §12.5.4. */
function parseAcceptLanguage(header: string): string[] {
  return header
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/i.exec(parameter)?.[1]).find((value) => value !== undefined)
      return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((left, right) => right.quality - left.quality)
    .map(({ tag }) => tag)
}
