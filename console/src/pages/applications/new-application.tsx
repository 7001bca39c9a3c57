import { useState } from 'react'
import type { components } from '../../api/schema.d.ts'
import { PageTitle } from '../../parts/page-title.tsx'
import { shellTexts as t } from '../../texts/shell.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Connect } from './connect.tsx'
import { passOnSecret } from './created-secret.ts'

export function NewApplication() {
  const [created] = useState<components['schemas']['ClientWithSecret']>()
  if (created?.clientSecret) passOnSecret(created.clientId, created.clientSecret)
  return (
    <>
      <PageTitle>{t.applications}</PageTitle>
      <PageHead title={t.applications} />
      {created && <Connect client={created} secret={created.clientSecret ?? undefined} />}
    </>
  )
}
