import { type ReactNode, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { components } from '../../api/schema.d.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatDuration, formatList, formatNumber } from '../../parts/format.ts'
import { organisationTexts as t } from '../../texts/organisation.ts'
import styles from './organisation.module.css'
import type { OrganisationChanges } from './organisation-record.ts'

type Effect = components['schemas']['OrganisationEffect']

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
        <ul className={styles.effects}>
          {asked?.effects.map((effect) => (
            <li key={`${effect.field} ${effect.effect}`}>
              <strong>{labels[effect.field] ?? effect.field}</strong> {fromTo(effect)}
              <EffectText effect={effect} />
            </li>
          ))}
        </ul>
      </Confirm>
    ),
  }
}

/** The value before and after, if it is a number. */
function fromTo({ field, effect, figures: { from, to } }: Effect): string | undefined {
  if (from === undefined || to === undefined || /\.re(quire|fuse)/.test(field)) return undefined
  const format = effect === 'for-new-sessions' || effect === 'for-new-tokens' ? formatDuration : formatNumber
  return t.fromTo(format(from), format(to))
}

function EffectText({ effect: { effect, detail, figures, users, sample, clients, sampleOfClients } }: { effect: Effect }) {
  const counted = (say: (count: number, shown: string) => string, count: number) => say(count, formatNumber(count))
  const say = Object.hasOwn(t.effects, effect) ? t.effects[effect] : undefined
  const names = [...sample, ...sampleOfClients].map(({ name }) => name)
  const more = users + clients - names.length
  return (
    <>
      <p lang={say ? undefined : 'en'}>
        {say?.({
          users: counted(t.users, users),
          clients: counted(t.clients, clients),
          origins: counted(t.origins, figures.origins ?? 0),
        }) ?? detail}
      </p>
      {names.length > 0 && <p className={styles.names}>{more > 0 ? t.andMore(names.join(', '), formatNumber(more)) : formatList(names)}</p>}
    </>
  )
}
