import { shellTexts as t } from '../texts/shell.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { CopyButton } from './copy.tsx'
import { formatExact, formatNumber } from './format.ts'

/** Any value as indented JSON, to read and to copy. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, null, 2) ?? ''
  return <CodeBlock code={text} label={label} copyButton={<CopyButton text={text} label={t.copyJson} />} />
}

/** A value of a record in a few words, for a comparison. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return t.empty
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? formatExact(value) : value
  if (Array.isArray(value)) return value.length === 0 ? t.empty : value.map(shownValue).join(', ')
  // A part of a record, such as a permission of a role, is shown by its slug.
  if (typeof value === 'object' && 'slug' in value) return String(value.slug)
  return JSON.stringify(value)
}
