import type { FastifyRequest } from 'fastify'
import { valuesByQuality } from './quality-values.ts'

/** Every language of texts for people, by its BCP 47 tag. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** The language for readers who understand none of them, or have named none. */
export const fallbackLanguage = 'en' satisfies Language

/**
 * Returns the first supported language of `ui_locales` (OpenID Connect Core §3.1.2.1, best first, separated by spaces), else of
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

/** Returns the language that a caller of the API asks for; undefined when it is none of ours, or they have named none. */
export function languageOf({ headers }: FastifyRequest): Language | undefined {
  return wantedLanguage(undefined, headers['accept-language'])
}
