export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value)

/** The language that the user has chosen in this browser, or else the one that the service chose for the page. */
export const language: Language =
  [localStorage.getItem('gatehouse.language'), document.documentElement.lang.slice(0, 2)].find(isLanguage) ?? 'en'

/**
 * The locale for times and numbers: the language with the user's region, as far as the browser tells. Some browsers report `en-US@posix`,
 * which no formatter accepts.
 */
export const locale =
  navigator.languages.find((one) => one.startsWith(`${language}-`) && /^[\w-]+$/.test(one)) ?? { en: 'en-GB', de: 'de' }[language]

/**
 * The texts of a page in the language of the console. English defines the shape of every other language. A language file imports nothing,
 * since a module that awaits it may contain the imported one.
 */
export async function catalogue<Texts>(loaders: { en: () => Promise<{ default: Texts }>; de: () => Promise<{ default: NoInfer<Texts> }> }) {
  return (await loaders[language]()).default
}
