import { hashSecret } from '../../platform/crypto/secrets.ts'

/** The beginning of the name of each session that a provider has begun for a NameID. */
export const samlSessionsOf = (nameId: string): string => `${hashSecret(nameId)} `

/**
 * The name of a session at a provider, as sessions and tokens of ours store it. A SessionIndex alone names none: the same few numbers may stand for the
 * sessions of many users (Core §2.7.2). Of the NameID its value counts, because providers leave out format and qualifiers when they sign out.
 */
export const samlSessionOf = (nameId: string, sessionIndex: string | undefined): string =>
  samlSessionsOf(nameId) + (sessionIndex === undefined ? '' : hashSecret(sessionIndex))
