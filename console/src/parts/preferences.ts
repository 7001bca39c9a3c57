/** The user's preferences in this browser. */
export interface Preferences {
  language: string
  theme: 'system' | 'light' | 'dark'
  zone: 'browser' | 'UTC'
  density: 'comfortable' | 'compact'
  singleKeys: 'on' | 'off'
  /** The list of first steps on the overview. */
  firstSteps: 'shown' | 'dismissed'
}

const defaults: Preferences = {
  language: '',
  theme: 'system',
  zone: 'browser',
  density: 'comfortable',
  singleKeys: 'on',
  firstSteps: 'shown',
}
const listeners = new Set<() => void>()

export function preference<Name extends keyof Preferences>(name: Name): Preferences[Name] {
  return (localStorage.getItem(`gatehouse.${name}`) as Preferences[Name] | null) ?? defaults[name]
}

export function prefer<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  localStorage.setItem(`gatehouse.${name}`, value)
  applyPreferences()
  for (const listener of listeners) listener()
  // All texts were loaded in the former language.
  if (name === 'language') location.reload()
}

export function onPreferenceChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Sets the attributes of the document that the style sheets depend on. */
export function applyPreferences(): void {
  const { dataset } = document.documentElement
  const language = preference('language')
  if (language) document.documentElement.lang = language
  const theme = preference('theme')
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  dataset.density = preference('density')
}
