import { type LazyExoticComponent, lazy, type ReactNode } from 'react'

/** A component that is loaded when it is first shown, from a module that exports it by its name: `lazyNamed(() => import('./x.tsx'), 'X')`. */
export const lazyNamed = <Name extends string, Props extends object>(
  load: () => Promise<Record<Name, (props: Props) => ReactNode>>,
  name: Name,
): LazyExoticComponent<(props: Props) => ReactNode> => lazy(async () => ({ default: (await load())[name] }))
