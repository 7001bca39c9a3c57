import { type ReactNode, Suspense, useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import type { OrganisationChanges } from '../api/organisation-record.ts'
import { lazyNamed } from '../base/lazy-named.ts'
import { organisationTexts as t } from '../texts/organisation.ts'
import { Confirm } from './confirm.tsx'
import { ListSkeleton } from './list-skeleton.tsx'
import type { Effect } from './organisation-effects.tsx'

const Effects = lazyNamed(() => import('./organisation-effects.tsx'), 'Effects')

/** Shows the impact of a change of settings of the organisation before it is made. */
export function useOrganisationImpact(): {
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
        <Suspense fallback={<ListSkeleton columns={1} rows={2} />}>{asked && <Effects effects={asked.effects} />}</Suspense>
      </Confirm>
    ),
  }
}
