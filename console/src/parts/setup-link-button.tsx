import { Link2 } from 'lucide-react'
import { useMayChange } from '../parts/use-change.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { LinkButton } from '../ui/link.tsx'

const operations = {
  domain: 'POST /v1/admin/domains',
  saml: 'POST /v1/admin/connections',
  scim: 'POST /v1/admin/directories',
} as const

/** The link to the set-up links, where the records that they make are listed: for users who may create one for this purpose. */
export function SetupLinkButton({ purpose }: { purpose: keyof typeof operations }) {
  const may = useMayChange()
  if (!may(operations[purpose])) return null
  return (
    <LinkButton variant="quiet" icon={Link2} to="/setup-links" search={{ purposes: purpose }}>
      {t.setupLinks}
    </LinkButton>
  )
}
