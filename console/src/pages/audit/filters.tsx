import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { actorNameQuery, auditActionsQuery } from '../../api/audit.ts'
import { useMay } from '../../api/profile.ts'
import type { components } from '../../api/schema.d.ts'
import { Choices } from '../../parts/choices.tsx'
import type { Filter } from '../../parts/filter-bar.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Picker } from '../../parts/pickers.tsx'
import { timeFilters } from '../../parts/time-filter.tsx'
import { actionTexts } from '../../texts/actions.ts'
import { auditTexts as t } from '../../texts/audit.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './audit.module.css'

type Search = Record<string, string | number | undefined>

/** Every kind that the service has entries about. */
const kindsOfTargets: Record<components['schemas']['AuditAction']['targetType'], string> = t.targetTypes

/** Converts the search of the URL into the query of the API: the URL separates several actions with commas. */
export const auditQueryOf = ({ action, sort: _, q: __, ...search }: Search) => ({
  ...search,
  ...(typeof action === 'string' && { action: action.split(',') }),
})

export function useAuditFilters(): Filter[] {
  const mayReadUsers = useMay()('GET /v1/admin/users')
  return [
    {
      name: 'action',
      label: t.action,
      any: t.anyAction,
      control: ({ value, onChange }) => <ActionFilter value={value} onChange={onChange} />,
    },
    {
      name: 'actorId',
      label: t.actor,
      any: t.anyActor,
      control: ({ value, onChange }) =>
        mayReadUsers ? (
          <ActorFilter value={value} onChange={onChange} />
        ) : (
          <TextFilter name="actorId" label={t.actorId} value={value} onChange={onChange} />
        ),
    },
    {
      name: 'clientId',
      label: t.application,
      any: t.anyApplication,
      control: ({ value, onChange }) => <TextFilter name="clientId" label={t.applicationId} value={value} onChange={onChange} />,
    },
    {
      name: 'targetType',
      label: t.targetType,
      any: t.anyTargetType,
      options: Object.entries(kindsOfTargets).map(([value, label]) => ({ value, label })),
    },
    { name: 'targetId', label: t.target, any: t.target, control: () => <TargetFilter /> },
    { name: 'email', label: t.target, any: t.target, control: () => null },
    {
      name: 'ipAddress',
      label: t.address,
      any: t.address,
      control: ({ value, onChange }) => <TextFilter name="ipAddress" label={t.address} value={value} onChange={onChange} />,
    },
    ...timeFilters,
    {
      name: 'requestId',
      label: t.request,
      any: t.request,
      control: ({ value, onChange }) =>
        value === undefined ? null : (
          <Button icon={X} onClick={() => onChange(undefined)} aria-label={shellTexts.remove({ label: shellTexts.requestId(value) })}>
            {shellTexts.requestId(`${value.slice(0, 8)}…`)}
          </Button>
        ),
    },
  ]
}

interface Control {
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** The actions as a tree: `user.*` precedes those that begin with `user.`. */
function ActionFilter({ value, onChange }: Control) {
  const [wasFocused, setFocused] = useState(false)
  const { data, isFetching } = useQuery({ ...auditActionsQuery, enabled: wasFocused })
  const byPrefix = Map.groupBy(data?.data ?? [], ({ action }) => action.slice(0, action.indexOf('.')))
  const items = [...byPrefix].flatMap(([prefix, actions]) => [
    { value: `${prefix}.*`, label: `${prefix}.*`, hint: t.allOf(prefix) },
    ...actions.map(({ action }) => ({ value: action, label: action, hint: hintOf(action) })),
  ])
  const chosen = value?.split(',').map((action) => ({ value: action, label: action })) ?? []
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is fetched until the user looks
    <div className={styles.filter} onFocus={() => setFocused(true)}>
      <Choices
        label={t.action}
        labelHidden
        placeholder={t.anyAction}
        multiple
        items={items}
        loading={isFetching}
        value={chosen}
        onValueChange={(next) => onChange(next.map((item) => item.value).join(',') || undefined)}
        emptyText={shellTexts.nothingMatches}
        removeLabel={shellTexts.remove}
      />
    </div>
  )
}

/** A hint such as "… blocked …". */
function hintOf(action: string): string | undefined {
  const sentences: Record<string, string> = actionTexts.sentences
  return sentences[action]?.replaceAll(/\{\w+\}/g, '…')
}

function ActorFilter({ value, onChange }: Control) {
  const { data } = useQuery({ ...actorNameQuery(value ?? ''), enabled: value !== undefined })
  return (
    <div className={styles.filter}>
      <Picker
        of="users"
        label={t.actor}
        labelHidden
        placeholder={t.anyActor}
        value={value === undefined ? [] : [{ value, label: data === undefined ? shellTexts.loading : (data ?? value) }]}
        onValueChange={(items) => onChange(items.at(-1)?.value)}
      />
    </div>
  )
}

/** A filter by an id, or by the e-mail address of a user or an invitation. */
function TargetFilter() {
  const { search, set } = useListState()
  return (
    <TextFilter
      name="target"
      label={t.target}
      value={search.targetId ?? search.email}
      onChange={(value) => set(value?.includes('@') ? { email: value, targetId: undefined } : { targetId: value, email: undefined })}
    />
  )
}

/** A filter by a whole text, applied on Enter or when the field is left. */
function TextFilter({
  name,
  label,
  value = '',
  onChange,
}: { name: string; label: string; value?: string | undefined } & Pick<Control, 'onChange'>) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  // Another cause, such as Back, has changed the URL.
  if (value !== known) {
    setKnown(value)
    setText(value)
  }
  const commit = () => {
    if (text.trim() !== value) onChange(text.trim() || undefined)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: leaving the field within is what counts
    <div className={styles.text} onBlur={commit}>
      <Form onSubmit={commit}>
        <TextField
          name={name}
          type="search"
          label={label}
          labelHidden
          placeholder={label}
          value={text}
          onValueChange={setText}
          autoComplete="off"
          spellCheck={false}
        />
      </Form>
    </div>
  )
}
