import { de } from './catalogue/de.ts'
import { en, type Texts } from './catalogue/en.ts'

/** Every language of the pages, by its BCP 47 tag; the first is for whoever understands none of them. */
export const catalogues = { en, de } as const satisfies Record<string, Texts>
export type Language = keyof typeof catalogues

const languages = Object.keys(catalogues) as Language[]

/**
 * The language of a page: the first that we have of `ui_locales` (OpenID Connect Core §3.1.2.1, best first, separated by
 * spaces), else of `Accept-Language`, else English.
 */
export function chooseLanguage(uiLocales: string | undefined, acceptLanguage: string | undefined): Language {
  const wanted = [...(uiLocales?.split(' ') ?? []), ...parseAcceptLanguage(acceptLanguage ?? '')]
  for (const tag of wanted) {
    const language = languages.find((known) => known === tag.toLowerCase().split('-')[0])
    if (language) return language
  }
  return 'en'
}

/** Language tags, the most wanted first: RFC 9110 §12.5.4. */
function parseAcceptLanguage(header: string): string[] {
  return header
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find((value) => value !== undefined)
      return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((left, right) => right.quality - left.quality)
    .map(({ tag }) => tag)
}
