import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Permission, permissionsQuery } from '../api/permissions.ts'
import { useMay, useProfile } from '../api/profile.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { CategoryPicker } from './category-picker.tsx'
import { ListSkeleton } from './list-skeleton.tsx'

type Choice = Pick<Permission, 'slug' | 'name' | 'category' | 'grantable'>

/** The permissions that can be chosen: all, or one's own where one may not read the others. */
export function useGrantablePermissions(): { choices: Choice[]; isLoading: boolean } {
  const may = useMay()('GET /v1/admin/permissions')
  const { permissions } = useProfile()
  const { data, isLoading } = useQuery({ ...permissionsQuery, enabled: may })
  const choices = useMemo(
    () => data?.data ?? permissions.map((slug) => ({ slug, name: slug, category: slug.split(':')[0] ?? '', grantable: true })),
    [data, permissions],
  )
  return { choices, isLoading }
}

type Category = keyof typeof t.permissionCategories

/** The name of a kind of resource that permissions are about. An operator may add others to those that are known. */
export const categoryName = (category: string): string =>
  Object.hasOwn(t.permissionCategories, category) ? t.permissionCategories[category as Category] : category

interface PermissionPickerProps {
  legend: string
  /** Slugs. */
  value: readonly string[]
  onValueChange: (slugs: string[]) => void
}

/** Permissions by category, each category as a whole. What the person may not grant is locked, with the reason. */
export function PermissionPicker(props: PermissionPickerProps) {
  const { choices: permissions, isLoading } = useGrantablePermissions()
  const choices = permissions.map(({ slug, name, category, grantable }) => ({
    value: slug,
    hint: name === slug ? undefined : name,
    category: categoryName(category),
    disabledReason: grantable ? undefined : t.notYours,
  }))
  // They are more than a window can show: what stands below them stays out of sight.
  if (isLoading) return <ListSkeleton columns={1} rows={20} />
  return <CategoryPicker {...props} choices={choices} />
}
