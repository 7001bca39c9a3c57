import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Scale } from 'lucide-react'
import { Choices } from '../../parts/choices.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { useGrantablePermissions } from '../../parts/permission-picker.tsx'
import { describePermission } from '../../parts/permission-words.ts'
import { namesQuery, Picker } from '../../parts/pickers.tsx'
import { explainTexts as t } from '../../texts/explain.ts'
import { shellTexts } from '../../texts/shell.ts'
import { FormRow } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Check } from './check.tsx'
import { Holders } from './holders.tsx'
import { PermissionsOf } from './permissions-of.tsx'

const route = getRouteApi('/shell/explain')

export function Explain() {
  return (
    <Permitted to="POST /v1/admin/permission-checks">
      <WhoCanWhat />
    </Permitted>
  )
}

function WhoCanWhat() {
  const { userId, permission } = route.useSearch()
  return (
    <>
      <PageTitle>{t.title}</PageTitle>
      <PageHead title={t.title} description={t.description} />
      <Panel>
        <FormRow>
          <PersonField userId={userId} />
          <PermissionField permission={permission} />
        </FormRow>
      </Panel>
      {userId && permission ? (
        <Check userId={userId} permission={permission} />
      ) : userId ? (
        <PermissionsOf userId={userId} />
      ) : permission ? (
        <Holders key={permission} permission={permission} />
      ) : (
        <EmptyState icon={Scale} title={t.begin} description={t.beginDescription} />
      )}
    </>
  )
}

function PersonField({ userId }: { userId: string | undefined }) {
  const { set } = useListState()
  const { data } = useQuery({ ...namesQuery('users', userId ?? ''), enabled: userId !== undefined })
  return (
    <Picker
      of="users"
      label={t.person}
      placeholder={t.anyPerson}
      value={userId === undefined ? [] : [{ value: userId, label: data ?? userId }]}
      onValueChange={(items) => void set({ userId: items.at(-1)?.value, q: undefined })}
    />
  )
}

function PermissionField({ permission }: { permission: string | undefined }) {
  const { set } = useListState()
  const { choices } = useGrantablePermissions()
  return (
    <Choices
      label={t.permission}
      placeholder={t.anyPermission}
      multiple
      items={choices.map(asItem)}
      value={permission === undefined ? [] : [{ value: permission, label: permission }]}
      onValueChange={(items) => void set({ permission: items.at(-1)?.value })}
      emptyText={shellTexts.nothingMatches}
      removeLabel={shellTexts.remove}
    />
  )
}

function asItem(permission: { slug: string; category: string; description: string }) {
  const hint = describePermission(permission)
  return { value: permission.slug, label: permission.slug, ...(hint !== undefined && { hint }) }
}
