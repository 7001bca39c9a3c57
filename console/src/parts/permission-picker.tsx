import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Permission, permissionsQuery } from '../api/permissions.ts'
import { useMay, useProfile } from '../api/profile.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import styles from './permission-picker.module.css'

type Choice = Pick<Permission, 'slug' | 'name' | 'category' | 'grantable'>

/** The permissions that can be chosen: all, or one's own where one may not read the others. */
export function useGrantablePermissions(): Choice[] {
  const may = useMay()('GET /v1/admin/permissions')
  const { permissions } = useProfile()
  const { data } = useQuery({ ...permissionsQuery, enabled: may })
  return useMemo(
    () => data?.data ?? permissions.map((slug) => ({ slug, name: slug, category: slug.split(':')[0] ?? '', grantable: true })),
    [data, permissions],
  )
}

interface PermissionPickerProps {
  legend: string
  /** Slugs. */
  value: readonly string[]
  onValueChange: (slugs: string[]) => void
}

/** Permissions by category, each category as a whole. What the person may not grant is locked, with the reason. */
export function PermissionPicker({ legend, value, onValueChange }: PermissionPickerProps) {
  const choices = useGrantablePermissions()
  const categories = Map.groupBy(choices, ({ category }) => category)
  const chosen = new Set(value)
  const toggle = (slugs: string[], isChosen: boolean) =>
    onValueChange(isChosen ? [...new Set([...value, ...slugs])] : value.filter((slug) => !slugs.includes(slug)))
  return (
    <fieldset className={styles.picker}>
      <legend className={styles.legend}>{legend}</legend>
      {[...categories].map(([category, permissions]) => {
        const grantable = permissions.filter((permission) => permission.grantable).map(({ slug }) => slug)
        const count = permissions.filter(({ slug }) => chosen.has(slug)).length
        return (
          <fieldset key={category} className={styles.category}>
            <legend className="visually-hidden">{category}</legend>
            <Checkbox
              label={t.allOf(category)}
              checked={count === permissions.length}
              indeterminate={count > 0 && count < permissions.length}
              disabledReason={grantable.length === 0 ? t.notYours : undefined}
              onCheckedChange={() => toggle(grantable, !grantable.every((slug) => chosen.has(slug)))}
            />
            <div className={styles.permissions}>
              {permissions.map(({ slug, name, grantable }) => (
                <Checkbox
                  key={slug}
                  label={slug}
                  hint={name === slug ? undefined : name}
                  checked={chosen.has(slug)}
                  disabledReason={grantable ? undefined : t.notYours}
                  onCheckedChange={(isChosen) => toggle([slug], isChosen)}
                />
              ))}
            </div>
          </fieldset>
        )
      })}
    </fieldset>
  )
}
