import { useRouter } from '@tanstack/react-router'
import { PageTitle } from '../parts/page-title.tsx'
import { shellTexts as t } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { FormActions } from '../ui/form.tsx'
import { LinkButton } from '../ui/link.tsx'
import { PageHead } from '../ui/page-head.tsx'

export function NotFound() {
  const { history } = useRouter()
  return (
    <>
      <PageTitle>{t.nothingHere}</PageTitle>
      <PageHead title={t.nothingHere} description={t.nothingHereDescription} />
      <FormActions>
        {history.canGoBack() && <Button onClick={() => history.back()}>{t.goBack}</Button>}
        <LinkButton to="/" variant="primary">
          {t.toOverview}
        </LinkButton>
      </FormActions>
    </>
  )
}
