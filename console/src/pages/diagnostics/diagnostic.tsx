import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyNamed } from '../../base/lazy-named.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { RefusalByReference } from '../../parts/refusal-report.tsx'
import { refusalsTexts as t } from '../../texts/refusals.ts'
import { Link } from '../../ui/link.tsx'
import { PageHead } from '../../ui/page-head.tsx'

const route = getRouteApi('/shell/diagnostics/$reference')

const RefusalKeys = lazyNamed(() => import('./refusal-keys.tsx'), 'RefusalKeys')

export function Diagnostic() {
  const { reference } = route.useParams()
  return (
    <Permitted to="GET /v1/admin/diagnostics/{reference}">
      <PageTitle>{`${t.title} ${reference}`}</PageTitle>
      <PageHead title={reference} back={<Link to="/diagnostics">{t.title}</Link>} />
      <RefusalByReference reference={reference} />
      <Suspense>
        <RefusalKeys reference={reference} />
      </Suspense>
    </Permitted>
  )
}
