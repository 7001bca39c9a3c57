import { useState } from 'react'
import type { OperationName } from '../api/operations.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { ApiTextField } from './api-field.tsx'
import { slugOf } from './slug.ts'

/** The name of a new record, and its slug: derived from the name until the user enters one. */
export function NameAndSlug({ of, suggested = '' }: { of: OperationName; suggested?: string }) {
  const [name = suggested, setName] = useState<string>()
  const [written, setWritten] = useState<string>()
  return (
    <>
      <ApiTextField of={of} name="name" label={t.name} value={name} onValueChange={setName} autoFocus />
      <ApiTextField
        of={of}
        name="slug"
        label={t.slug}
        hint={t.slugHint}
        mono
        pattern="[a-z0-9]+(-[a-z0-9]+)*"
        value={written ?? slugOf(name)}
        onValueChange={(slug) => setWritten(slug || undefined)}
      />
    </>
  )
}
