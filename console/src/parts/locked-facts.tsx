import type { ReactNode } from 'react'
import type { OperationName } from '../api/operations.ts'
import { Facts } from '../ui/definition-list.tsx'
import { Notice } from '../ui/notice.tsx'
import { useWhyNot } from './use-change.ts'

interface LockedFactsProps {
  /** What would change them. */
  of: OperationName
  items: { term: string; value: ReactNode }[]
}

/** Settings as text, for users who may not change them, and the reason why not. */
export function LockedFacts({ of: operation, items }: LockedFactsProps) {
  return (
    <>
      <Notice tone="neutral">{useWhyNot()(operation)}</Notice>
      <Facts items={items} />
    </>
  )
}
