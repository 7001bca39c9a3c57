import { type LazyExoticComponent, lazy, type ReactNode, useEffect } from 'react'

interface Openable {
  open?: boolean
  onOpenChange?: (open: boolean) => void
  onClose?: () => void
}

/** In place of a part whose code is gone: the page stays as it is, and what was to open counts as closed again. A banner says why. */
function Missing({ open, onOpenChange, onClose }: Openable) {
  useEffect(() => {
    if (open === false) return
    onOpenChange?.(false)
    onClose?.()
  }, [open, onOpenChange, onClose])
  return null
}

/**
 * A component that is loaded when it is first shown, from a module that exports it by its name: `lazyNamed(() => import('./x.tsx'), 'X')`.
 *
 * @param Instead what is shown when its code is gone: a part that holds a value of a form or can be pressed does not vanish
 */
export const lazyNamed = <Name extends string, Props extends object>(
  load: () => Promise<Record<Name, (props: Props) => ReactNode>>,
  name: Name,
  Instead: (props: NoInfer<Props>) => ReactNode = Missing,
): LazyExoticComponent<(props: Props) => ReactNode> =>
  // The module is undefined while the page is being reloaded for a new version.
  lazy(async () => ({ default: (await load().catch(() => undefined))?.[name] ?? Instead }))
