import { fallbackLanguage, type Language, wantedLanguage } from '../platform/language.ts'
import { de } from './catalogue/de.ts'
import { en, type Texts } from './catalogue/en.ts'

export const catalogues: Readonly<Record<Language, Texts>> = { en, de }

/** The language of a page: the first supported one of `ui_locales`, else of `Accept-Language`, else English. */
export function chooseLanguage(uiLocales: string | undefined, acceptLanguage: string | undefined): Language {
  return wantedLanguage(uiLocales, acceptLanguage) ?? fallbackLanguage
}
