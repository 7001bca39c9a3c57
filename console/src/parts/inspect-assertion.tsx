import { SearchCheck } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useMay } from '../api/profile.ts'
import { lazyNamed } from '../base/lazy-named.ts'
import { assertionChecksTexts as t } from '../texts/assertion-checks.ts'
import { Button } from '../ui/button.tsx'

const AssertionDrawer = lazyNamed(() => import('./assertion-drawer.tsx'), 'AssertionDrawer')

/** The button that opens the inspection of a pasted assertion, for users who may inspect one. */
export function InspectAssertion() {
  const mayLook = useMay()('POST /v1/admin/assertion-checks')
  const [isOpen, setOpen] = useState(false)
  if (!mayLook) return null
  return (
    <>
      <Button icon={SearchCheck} onClick={() => setOpen(true)}>
        {t.title}
      </Button>
      {isOpen && (
        <Suspense>
          <AssertionDrawer onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
