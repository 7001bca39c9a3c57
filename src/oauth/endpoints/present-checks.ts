import { isConnectionCheck } from '../../../shared/checks/names.ts'
import { isPhrase, type Phrase } from '../../../shared/checks/phrases.ts'
import type { StoredCheck, StoredPhrase, StoredPhrases } from '../../platform/database/column-types.ts'

/** Presents the checks of a sign-in through a connection. Another release may have stored them with fewer or more fields. */
export const presentChecks = (checks: readonly StoredCheck[] | null) =>
  checks === null
    ? null
    : checks.map(({ code, phrases, ...check }) => ({
        code: code !== undefined && isConnectionCheck(code) ? code : null,
        ...check,
        phrases: { expected: presentPhrase(phrases?.expected), received: presentPhrase(phrases?.received) },
      }))

export const presentPhrases = ({ expected, received, hint }: StoredPhrases) => ({
  expected: presentPhrase(expected),
  received: presentPhrase(received),
  hint: presentPhrase(hint),
})

const presentPhrase = (stored: StoredPhrase | null | undefined): { phrase: Phrase; values: string[] } | null =>
  stored && isPhrase(stored.phrase) ? { phrase: stored.phrase, values: [...stored.values] } : null
