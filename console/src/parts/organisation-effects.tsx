import type { components } from '../api/schema.d.ts'
import { impactTexts as impact } from '../texts/impact.ts'
import { organisationTexts as t } from '../texts/organisation.ts'
import { formatDuration, formatList, formatNumber } from './format.ts'
import styles from './organisation-effects.module.css'

export type Effect = components['schemas']['OrganisationEffect']

/** What a change of settings leads to, field by field. */
export function Effects({ effects }: { effects: readonly Effect[] }) {
  return (
    <ul className={styles.effects}>
      {effects.map((effect) => (
        <li key={`${effect.field} ${effect.effect}`}>
          <strong>{(t.fields as Readonly<Record<string, string>>)[effect.field] ?? effect.field}</strong> {fromTo(effect)}
          <EffectText effect={effect} />
        </li>
      ))}
    </ul>
  )
}

/** The value before and after, if it is a number. */
function fromTo({ field, effect, figures: { from, to } }: Effect): string | undefined {
  if (from === undefined || to === undefined || /\.re(quire|fuse)/.test(field)) return undefined
  const format = effect === 'for-new-sessions' || effect === 'for-new-tokens' ? formatDuration : formatNumber
  return impact.fromTo(format(from), format(to))
}

function EffectText({ effect: { effect, detail, figures, users, sample, clients, sampleOfClients } }: { effect: Effect }) {
  const counted = (say: (count: number, shown: string) => string, count: number) => say(count, formatNumber(count))
  const say = Object.hasOwn(impact.effects, effect) ? impact.effects[effect] : undefined
  const names = [...sample, ...sampleOfClients].map(({ name }) => name)
  const more = users + clients - names.length
  return (
    <>
      <p lang={say ? undefined : 'en'}>
        {say?.({
          users: counted(t.users, users),
          clients: counted(t.clients, clients),
          origins: counted(impact.origins, figures.origins ?? 0),
        }) ?? detail}
      </p>
      {names.length > 0 && (
        <p className={styles.names}>{more > 0 ? impact.andMore(names.join(', '), formatNumber(more)) : formatList(names)}</p>
      )}
    </>
  )
}
