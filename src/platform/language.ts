import type { FastifyRequest } from 'fastify'
import { valuesByQuality } from './quality-values.ts'

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
  const wanted = [...(uiLocales?.split(' ') ?? []), ...valuesByQuality(acceptLanguage ?? '')]
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
