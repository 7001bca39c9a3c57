import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Permission, permissionsQuery } from '../api/permissions.ts'
import { useMay, useProfile } from '../api/profile.ts'
import { accessTexts as t } from '../texts/access.ts'
import { TextField } from '../ui/text-field.tsx'
import { CategoryPicker } from './category-picker.tsx'
import { ListSkeleton } from './list-skeleton.tsx'
import { categoryName, categoryOf, describePermission, inOrder, matches } from './permission-words.ts'

type Choice = Pick<Permission, 'slug' | 'description' | 'category' | 'grantable'>

/** The permissions to choose from, in their order: all, or the user's own ones if they may not read the others. */
export function useGrantablePermissions(): { choices: Choice[]; isLoading: boolean } {
  const may = useMay()('GET /v1/admin/permissions')
  const { permissions } = useProfile()
  const { data, isLoading } = useQuery({ ...permissionsQuery, enabled: may })
  const choices = useMemo(
    () =>
      inOrder(data?.data ?? permissions.map((slug) => ({ slug, description: slug, category: slug.split(':')[0] ?? '', grantable: true }))),
    [data, permissions],
  )
  return { choices, isLoading }
}

interface PermissionPickerProps {
  /** The name of the field in the API. */
  name: string
  legend: string
  /** The slugs of the chosen permissions. */
  value: readonly string[]
  onValueChange: (slugs: string[]) => void
}

/**
 * Permissions by category, each category as a whole, with a search in their
 * descriptions. A permission that the user may not grant is locked, with the reason.
 */
export function PermissionPicker({ name, legend, value, onValueChange }: PermissionPickerProps) {
  const { choices: permissions, isLoading } = useGrantablePermissions()
  const [words, setWords] = useState('')
  // They take more room than a window: the content below them stays out of sight.
  if (isLoading) return <ListSkeleton columns={1} rows={20} />
  const choices = permissions
    .filter((permission) => matches(permission, words))
    .map((permission) => ({
      value: permission.slug,
      hint: describePermission(permission),
      category: categoryName(categoryOf(permission)),
      disabledReason: permission.grantable ? undefined : t.notYours,
    }))
  return (
    <CategoryPicker
      name={name}
      legend={legend}
      choices={choices}
      value={value}
      onValueChange={onValueChange}
      status={choices.length === 0 ? t.noPermissionFound : t.chosen(value.length, permissions.length)}
      search={
        <TextField
          type="search"
          label={t.searchPermissions}
          labelHidden
          placeholder={t.searchPermissions}
          prefix={<Search size={16} aria-hidden />}
          value={words}
          onValueChange={setWords}
        />
      }
    />
  )
}
