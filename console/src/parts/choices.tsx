import { Suspense } from 'react'
import { lazyNamed } from '../base/lazy-named.ts'
import type { ComboboxProps } from '../ui/combobox.tsx'
import { FieldPlace } from '../ui/field.tsx'

const Combobox = lazyNamed(() => import('../ui/combobox.tsx'), 'Combobox', FieldPlace)

/** A field that chooses some of many items. Its code is loaded after the page, as that of a picker is. */
export function Choices(props: ComboboxProps) {
  return (
    <Suspense fallback={<FieldPlace {...props} />}>
      <Combobox {...props} />
    </Suspense>
  )
}
