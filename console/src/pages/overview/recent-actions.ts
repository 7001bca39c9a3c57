/** What users do to sign in, which has a panel of its own, what directories and operators do all day, and what changes nothing. */
const left =
  /^(auth|database|login|oauth2|session|sign_in)\.|^directory\.(user|group)_|\.(looked_up|exchanged|used|(.+_)?(tested|tried|replayed))$/

/**
 * The filter for entries about changed records, of all actions that there are: `team.*` where every action of the kind is one, so that
 * the address of the request stays short.
 */
export const recentActions = (actions: readonly string[]): string[] => [
  ...new Set(
    actions.flatMap((action) => {
      if (left.test(action)) return []
      const kind = action.replace(/\..*/, '.')
      return actions.some((other) => other.startsWith(kind) && left.test(other)) ? [action] : [`${kind}*`]
    }),
  ),
]
