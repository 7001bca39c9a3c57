import { accessTexts as t } from '../texts/access.ts'

interface NamedPermission {
  slug: string
  category: string
  description?: string
}

/** The description of a permission, in the reader's language. A permission that an operator has added has the operator's words. */
export const describePermission = ({ slug, description }: NamedPermission): string | undefined =>
  own(t.permissions, slug) ?? (description === slug ? undefined : description)

/** The category of a permission: the kind of record that it is about. */
export function categoryOf({ slug, category }: NamedPermission): string {
  const prefix = slug.split(':')[0] ?? ''
  return category !== 'custom' && Object.hasOwn(t.categories, prefix) ? prefix : category
}

export const categoryName = (category: string): string => own(t.categories, category) ?? category

const verbs = ['read', 'create', 'update', 'delete', 'manage']

/** Sorts permissions by category, the most used first; read precedes change, and delete comes last. */
export function inOrder<Permission extends NamedPermission>(permissions: readonly Permission[]): Permission[] {
  const place = (list: readonly string[], one: string) => (list.includes(one) ? list.indexOf(one) : list.length)
  const kinds = Object.keys(t.categories)
  return permissions.toSorted(
    (one, other) =>
      place(kinds, categoryOf(one)) - place(kinds, categoryOf(other)) ||
      categoryOf(one).localeCompare(categoryOf(other)) ||
      place(verbs, verbOf(one)) - place(verbs, verbOf(other)) ||
      one.slug.localeCompare(other.slug),
  )
}

/** Whether a permission contains the words in its slug, its description or its category. */
export function matches(permission: NamedPermission, words: string): boolean {
  const text = [permission.slug, describePermission(permission), categoryName(categoryOf(permission))].join(' ').toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Whether the words begin the slug of a permission, or the name of its category. */
export const isNamedBy = (permission: NamedPermission, words: string): boolean =>
  [permission.slug, categoryName(categoryOf(permission)).toLowerCase()].some((name) => name.startsWith(words.trim().toLowerCase()))

const verbOf = ({ slug }: NamedPermission) => slug.slice(slug.indexOf(':') + 1)

const own = (texts: Record<string, string>, key: string): string | undefined => (Object.hasOwn(texts, key) ? texts[key] : undefined)
