export type ReceiverMistake = 'invalid-url' | 'url-not-https' | 'url-with-credentials'

/** The mistake in the URL of a receiver as text; undefined when it is valid. Its destination is checked when connecting. */
export function findUrlMistake(text: string): ReceiverMistake | undefined {
  if (!URL.canParse(text)) return 'invalid-url'
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'https:') return 'url-not-https'
  if (username !== '' || password !== '') return 'url-with-credentials'
  return undefined
}

/** The start of the UTC hour in which attempts are counted together. */
export const startOfHour = (time: Date) => new Date(Math.floor(time.getTime() / 3_600_000) * 3_600_000)
