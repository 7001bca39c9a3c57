const day = 86_400

export type KeyUse = 'signing' | 'encryption'

/** A key of ours for one connection. */
export interface OwnKey {
  use: KeyUse
  createdAt: Date
  /** When a next key begins to be used; null for one that is used already. */
  usedFrom: Date | null
  /** When another one has taken its place. */
  replacedAt: Date | null
}

/** How long a next key is published before it is used, unless it is activated earlier: time for the provider to read it. */
export const nextKeySeconds = 7 * day

/** How long a former key decrypts what was encrypted for it. */
export const formerKeySeconds = 30 * day

const hasPassed = (time: Date | null, seconds: number, now: Date) => time !== null && time.getTime() + seconds * 1_000 <= now.getTime()

/** Whether our metadata shows a key: the present one, and the next. */
export const isPublished = ({ replacedAt }: OwnKey): boolean => replacedAt === null

/** The key that is used: of those that may be used already, the one that was made last. */
export function keyInUse<Key extends OwnKey>(keys: readonly Key[], use: KeyUse, now: Date): Key | undefined {
  return keys
    .filter((key) => key.use === use && isPublished(key) && (key.usedFrom === null || hasPassed(key.usedFrom, 0, now)))
    .sort((left, right) => right.createdAt.getTime() - left.createdAt.getTime())[0]
}

/** The keys that decrypt. A provider encrypts for the next one as soon as it has read our metadata, and for a former one until it has. */
export const decryptingKeys = <Key extends OwnKey>(keys: readonly Key[], now: Date): Key[] =>
  keys.filter(({ use, replacedAt }) => use === 'encryption' && !hasPassed(replacedAt, formerKeySeconds, now))
