import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '../../api/roles.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { Pages } from '../../parts/pages.tsx'
import { useGrantablePermissions } from '../../parts/permission-picker.tsx'
import { inOrder, isNamedBy } from '../../parts/permission-words.ts'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { roleName } from '../../parts/role-words.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { searchRoles } from '../../parts/search-roles.ts'
import { rolesTexts as t } from '../../texts/roles.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { type MatrixPermission, MatrixTable } from './matrix-table.tsx'
import { ReviewChanges } from './review-changes.tsx'
import { changesOf, type Edits, toggled } from './role-edits.ts'

export function RoleMatrix() {
  return (
    <Permitted to="GET /v1/admin/roles">
      <Matrix />
    </Permitted>
  )
}

/** Shows and edits the permissions of many roles at once. */
function Matrix() {
  const { search, page, limit, set, next, previous } = useListState()
  const [edits, setEdits] = useState<Edits>(new Map())
  const [isReviewing, setReviewing] = useState(false)
  const { choices, isLoading: isLoadingChoices } = useGrantablePermissions()
  // What names permissions chooses among these, with all roles.
  const named = search.q === undefined ? [] : choices.filter((permission) => isNamedBy(permission, search.q ?? '')).map(({ slug }) => slug)
  const asked = { q: named.length > 0 ? undefined : search.q, cursor: search.cursor, limit }
  const query = useQuery({
    queryKey: ['roles', 'matrix', asked],
    queryFn: ({ signal }) => searchRoles(asked, signal),
    placeholderData: keepPreviousData,
    enabled: search.q === undefined || !isLoadingChoices,
  })
  const roles = query.data?.data ?? []
  const { permissions, isLoading } = usePermissionsOf(roles)
  const changes = changesOf(edits)
  const clear = () => set({ q: undefined })
  return (
    <>
      <PageTitle>{t.matrixTitle}</PageTitle>
      <PageHead title={t.matrixTitle} back={<Link to="/roles">{t.title}</Link>} description={t.matrixHint} />
      <FilterBar searchLabel={t.matrixSearch} filters={[]} onClear={search.q === undefined ? undefined : clear} />
      {query.error && !query.data ? (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data || isLoading ? (
        <ListSkeleton columns={5} />
      ) : roles.length === 0 ? (
        <EmptyState title={shellTexts.nothingMatches} action={<Button onClick={clear}>{shellTexts.clearFilters}</Button>} />
      ) : (
        <MatrixTable
          roles={roles}
          permissions={named.length > 0 ? permissions.filter(({ slug }) => named.includes(slug)) : permissions}
          edits={edits}
          busy={query.isPlaceholderData}
          onToggle={(role, slug) => setEdits((former) => toggled(former, role, slug))}
          footer={
            <Pages
              page={page}
              limit={limit}
              shown={roles.length}
              total={query.data.total}
              busy={query.isPlaceholderData}
              nextCursor={query.data.nextCursor}
              onLimit={(value) => set({ limit: value === '50' ? undefined : value })}
              onNext={next}
              onPrevious={previous}
            />
          }
        />
      )}
      <SaveBar
        changes={changes.map(({ role, slug, isGiven }) => t.change(slug, roleName(role), isGiven))}
        onDiscard={() => setEdits(new Map())}
        action={
          <Button variant="primary" onClick={() => setReviewing(true)}>
            {t.review(changes.length)}
          </Button>
        }
      />
      <ReviewChanges open={isReviewing} onOpenChange={setReviewing} edits={edits} onSaved={setEdits} />
    </>
  )
}

/** All permissions, including those of the roles that the user could not choose. */
function usePermissionsOf(roles: readonly Role[]): { permissions: MatrixPermission[]; isLoading: boolean } {
  const { choices, isLoading } = useGrantablePermissions()
  const known = new Map<string, MatrixPermission>(choices.map((choice) => [choice.slug, choice]))
  for (const { slug, name } of roles.flatMap((role) => role.permissions))
    if (!known.has(slug)) known.set(slug, { slug, description: name, category: slug.split(':')[0] ?? '', grantable: false })
  return { permissions: inOrder([...known.values()]), isLoading }
}
