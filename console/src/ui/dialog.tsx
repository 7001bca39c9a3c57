import { Suspense, useState } from 'react'
import { lazyNamed } from '../base/lazy-named.ts'
import type { DialogProps } from './dialog-props.ts'

const LoadedDialog = lazyNamed(() => import('./loaded-dialog.tsx'), 'LoadedDialog')

/** A dialog or drawer over the page. It stays rendered after its first opening, so that closing can be animated. */
export function Dialog(props: DialogProps) {
  const [wasOpened, setOpened] = useState(props.open)
  if (props.open && !wasOpened) setOpened(true)
  if (!wasOpened) return null
  return (
    <Suspense>
      <LoadedDialog {...props} />
    </Suspense>
  )
}
