import { type ReactNode, Suspense, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { organisationTexts as t } from '../../texts/organisation.ts'
import type { Effect } from './effects.tsx'
import type { OrganisationChanges } from './organisation-record.ts'

const Effects = lazyNamed(() => import('./effects.tsx'), 'Effects')

/** Shows the impact of a change of settings before it is made. */
export function useImpact(labels: Readonly<Record<string, string>>): {
  /** Resolves to whether to continue: at once without an impact. Throws Problem when the change itself would be refused. */
  ask: (body: OrganisationChanges) => Promise<boolean>
  question: ReactNode
} {
  const [asked, setAsked] = useState<{ effects: Effect[]; goOn: (decision: boolean) => void }>()
  const decide = (decision: boolean) => {
    asked?.goOn(decision)
    setAsked(undefined)
  }
  return {
    async ask(body) {
      const { data } = await answerOf(api.POST('/v1/admin/organisation/impact', { body }))
      if (data.length === 0) return true
      return new Promise((goOn) => setAsked({ effects: data, goOn }))
    },
    question: (
      <Confirm
        open={asked !== undefined}
        onOpenChange={(open) => !open && decide(false)}
        title={t.impactTitle}
        action={t.impactAction}
        danger={asked?.effects.some(({ effect, users }) => effect === 'cannot-sign-in' && users > 0) ?? false}
        onConfirm={async () => decide(true)}
      >
        <Suspense fallback={<ListSkeleton columns={1} rows={2} />}>{asked && <Effects effects={asked.effects} labels={labels} />}</Suspense>
      </Confirm>
    ),
  }
}
