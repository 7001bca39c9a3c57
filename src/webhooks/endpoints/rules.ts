/** What is wrong with the URL of a receiver as text; undefined when nothing is. Its destination is checked when connecting. */
export function decideUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return 'Invalid URL'
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'https:') return 'Must be an https URL'
  if (username !== '' || password !== '') return 'Must not contain a user name or a password'
  return undefined
}

/** The hour in UTC in which attempts are counted together. */
export const startOfHour = (time: Date) => new Date(Math.floor(time.getTime() / 3_600_000) * 3_600_000)
