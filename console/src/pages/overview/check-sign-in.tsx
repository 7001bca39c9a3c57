import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { overviewTexts as t } from '../../texts/overview.ts'
import { Button } from '../../ui/button.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './overview.module.css'

/** One field, which leads to each step of a sign-in with the address. */
export function CheckSignIn() {
  const navigate = useNavigate()
  const [email, setEmail] = useState('')
  return (
    <Panel title={t.whyNoSignIn}>
      <Form onSubmit={() => void navigate({ to: '/sign-in-check', search: { email: email.trim().toLowerCase() } })}>
        <div className={styles.ask}>
          <TextField name="email" type="email" label={t.address} value={email} onValueChange={setEmail} required />
          <FormActions>
            <Button type="submit">{t.checkSignIn}</Button>
          </FormActions>
        </div>
      </Form>
    </Panel>
  )
}
