import { useMay } from '../api/profile.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Link } from '../ui/link.tsx'
import { formatExact } from './format.ts'
import { usePreference } from './use-preference.ts'

interface SignInLinkProps {
  /** Null for records from before sign-ins had ids. */
  id: string | null
  /** The time that distinguishes it from other links, for users of screen readers. */
  at?: string
}

/** A link from a part of a sign-in to all of it, for users who may see it. */
export function SignInLink({ id, at }: SignInLinkProps) {
  usePreference('zone')
  const may = useMay()('GET /v1/admin/sign-ins/{id}')
  if (id === null || !may) return null
  return (
    <Link to="/sign-ins/$id" params={{ id }} aria-label={at === undefined ? undefined : t.wholeSignInOf(formatExact(at))}>
      {t.wholeSignIn}
    </Link>
  )
}
