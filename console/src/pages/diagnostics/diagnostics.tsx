import { useNavigate } from '@tanstack/react-router'
import { type ClipboardEvent, useState } from 'react'
import { Permitted } from '../../parts/no-permission.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { referenceIn } from '../../parts/reference.ts'
import { RefusalList } from '../../parts/refusal-list.tsx'
import { refusalsTexts as t } from '../../texts/refusals.ts'
import { Button } from '../../ui/button.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './diagnostics.module.css'

export function Diagnostics() {
  return (
    <Permitted to="GET /v1/admin/diagnostics">
      <PageTitle>{t.title}</PageTitle>
      <PageHead title={t.title} description={t.lead} />
      <FindByReference />
      <RefusalList />
    </Permitted>
  )
}

/** Accepts any text, and opens the refusal that its reference names: at once when it is pasted. */
function FindByReference() {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const open = (from: string) => {
    const reference = referenceIn(from)
    setErrors(reference === undefined ? { reference: t.noReference } : {})
    if (reference) void navigate({ to: '/diagnostics/$reference', params: { reference } })
  }
  const onPaste = ({ clipboardData }: ClipboardEvent) => open(clipboardData.getData('text'))
  return (
    <Form onSubmit={() => open(text)} errors={errors}>
      <div className={styles.find} onPaste={onPaste}>
        <TextField name="reference" label={t.paste} hint={t.pasteHint} value={text} onValueChange={setText} mono />
        <FormActions>
          <Button type="submit">{t.show}</Button>
        </FormActions>
      </div>
    </Form>
  )
}
