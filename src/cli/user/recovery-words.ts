import type { takenAway } from '../../connections/federation/take-away-access.ts'

/** What a recovery takes away, in the order in which it is said. */
const words = {
  passkeys: 'passkeys',
  factors: 'second factors',
  identities: 'linked accounts',
  apiKeys: 'API keys',
  setupLinks: 'set-up links',
  sessions: 'sessions',
  tokens: 'tokens',
  consents: 'consents',
  mailed: 'mailed links and codes',
}

/** Which of the words says it, of each table that a recovery empties: a table without one does not compile. */
const saidBy: Record<(typeof takenAway)[number], keyof typeof words> = {
  'identities.user_id': 'identities',
  'passkeys.user_id': 'passkeys',
  'mfa_credentials.user_id': 'factors',
  'mfa_backup_codes.user_id': 'factors',
  'mfa_challenges.user_id': 'sessions',
  'sessions.user_id': 'sessions',
  'token_families.user_id': 'tokens',
  'authorization_codes.user_id': 'tokens',
  'device_codes.user_id': 'tokens',
  'authorization_requests.decided_by_id': 'consents',
  'consents.user_id': 'consents',
  'resource_consents.user_id': 'consents',
  'email_codes.user_id': 'mailed',
  'action_links.user_id': 'mailed',
  'federation_requests.user_id': 'sessions',
  'api_keys.created_by_id': 'apiKeys',
  'setup_links.created_by_id': 'setupLinks',
}
const said = Object.entries(words).flatMap(([name, word]) => (Object.values<string>(saidBy).includes(name) ? [word] : []))
const inWords = (all: readonly string[]) => `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`

/** What a recovery removes besides the password. */
export const removed = inWords(said)
export const removedBesidesFactors = inWords(said.filter((word) => word !== words.factors))

/** What a recovery ends that is not counted. */
export const uncounted = [words.tokens, words.consents, words.mailed].join(', ')
