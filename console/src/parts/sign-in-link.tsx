import { useMay } from '../api/profile.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Link } from '../ui/link.tsx'
import { formatExact } from './format.ts'

interface SignInLinkProps {
  /** Null of what is older than such ids. */
  id: string | null
  /** Of which of several it is, for those who hear the link alone. */
  at?: string
}

/** The way from what is part of a sign-in to all of it, for those who may see it. */
export function SignInLink({ id, at }: SignInLinkProps) {
  const may = useMay()('GET /v1/admin/sign-ins/{id}')
  if (id === null || !may) return null
  return (
    <Link to="/sign-ins/$id" params={{ id }} aria-label={at === undefined ? undefined : t.wholeSignInOf(formatExact(at))}>
      {t.wholeSignIn}
    </Link>
  )
}
