import { Lock } from 'lucide-react'
import { useOrganisation } from '../api/organisation.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { shellTexts as t } from '../texts/shell.ts'
import { buttonClass } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'

/** Replaces every page for users whose roles give no permission at all. */
export function NoPermissions() {
  const organisation = useOrganisation()
  return (
    <>
      <PageTitle>{t.noPermissions}</PageTitle>
      <PageHead title={t.noPermissions} />
      <EmptyState
        icon={Lock}
        title={t.noPermissionsDescription(organisation?.name ?? '')}
        action={
          <>
            {organisation && (
              <a className={buttonClass({})} href={`mailto:${organisation.email}`}>
                {t.writeTo(organisation.email)}
              </a>
            )}
            <a className={buttonClass({ variant: 'primary' })} href="/account?returnTo=/console">
              {t.account}
            </a>
          </>
        }
      />
    </>
  )
}
