import { Lock } from 'lucide-react'
import { useProfile } from '../../api/profile.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatList } from '../../parts/format.ts'
import { useAdministrators } from '../../parts/no-permission.tsx'
import { overviewTexts as t } from '../../texts/overview.ts'
import { buttonClass } from '../../ui/button.tsx'

export const useAdministersNothing = (): boolean => useProfile().permissions.length === 0

/** For a person without any permission: whom to ask, and the way to what is theirs. */
export function NothingForYou() {
  const people = useAdministrators()
  return (
    <EmptyState
      icon={Lock}
      title={t.nothingForYou}
      description={t.nothingForYouHint(people.length > 0 ? formatList(people) : '')}
      action={
        <a href="/account" className={buttonClass({})}>
          {t.toAccount}
        </a>
      }
    />
  )
}
