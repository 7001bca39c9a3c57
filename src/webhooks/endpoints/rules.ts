/** What is wrong with the address of a receiver as it is written; undefined when nothing is. Where it leads is asked later. */
export function decideUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return 'Invalid URL'
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'https:') return 'Must be an https URL'
  if (username !== '' || password !== '') return 'Must not contain a user name or a password'
  return undefined
}
