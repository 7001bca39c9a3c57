import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { FormFoot } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { type FederatedCredential, FederatedCredentials } from '../../parts/federated-credentials.tsx'
import { PermissionPicker, useGrantablePermissions } from '../../parts/permission-picker.tsx'
import { useQuestion } from '../../parts/use-question.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { apiKeysTexts as t } from '../../texts/api-keys.ts'
import { questionsTexts } from '../../texts/questions.ts'
import { Chip, Chips } from '../../ui/badge.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'

const operation = 'POST /v1/admin/api-keys'

/** The name by which the API says that a workload is refused. */
const placeOf = (_workload: FederatedCredential, index: number) => `federatedCredentials.${index}`

interface CreateApiKeyProps {
  /** The permissions that the calls of a page need, from the API drawer. */
  permissions: string[] | undefined
  onClose: () => void
  onMade: (made: { name: string; key: string }) => void
}

export function CreateApiKey({ permissions, onClose, onMade }: CreateApiKeyProps) {
  const queries = useQueryClient()
  const { choices: grantable } = useGrantablePermissions()
  const [chosen, setChosen] = useState<string[]>(permissions ?? [])
  const [lifetime, setLifetime] = useState('90')
  const [secret, setSecret] = useState<'key' | 'none'>('key')
  const [workloads, setWorkloads] = useState<readonly FederatedCredential[]>([])
  const [isAddingWorkload, setAddingWorkload] = useState(false)
  const readAll = grantable
    .filter(({ slug, grantable }) => grantable && slug.endsWith(':read'))
    .map(({ slug }) => slug)
    .sort()
  const presets = [
    ...(permissions ? [{ value: 'page', label: t.fromPage, slugs: permissions }] : []),
    { value: 'reading', label: t.readAll, slugs: readAll },
    { value: 'nothing', label: t.clear, slugs: [] },
  ]
  const { ask, question } = useQuestion()
  const submission = useSubmit({
    fields: ['name', 'permissions', 'expiresAt', ...workloads.map(placeOf)],
    work: async (form) => {
      const name = String(form.get('name')).trim()
      const writing = chosen.filter((slug) => !slug.endsWith(':read')).sort()
      const whatItCan = (
        <>
          <p>{questionsTexts.writeKey}</p>
          <Chips>
            {writing.map((slug) => (
              <Chip key={slug}>{slug}</Chip>
            ))}
          </Chips>
        </>
      )
      const title = questionsTexts.writeKeyQuestion(name)
      if (writing.length > 0 && !(await ask({ title, body: whatItCan, action: questionsTexts.writeKeyAction, danger: true }))) return
      const expiresAt = lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * 86_400_000).toISOString()
      // Only the page holds it until it was stored.
      const federatedCredentials = secret === 'none' ? [...workloads] : []
      const body = { name, permissions: chosen, expiresAt, secret, federatedCredentials }
      const { key } = await answerOf(api.POST('/v1/admin/api-keys', { body }))
      if (key !== undefined) onMade({ name, key })
      onClose()
      await invalidate(queries, 'api-keys')
    },
  })
  const whyNot =
    chosen.length === 0
      ? t.choosePermissions
      : isAddingWorkload
        ? t.finishWorkload
        : secret === 'none' && workloads.length === 0
          ? t.addWorkload
          : undefined
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title={t.create}>
      <Segmented
        label={t.usedBy}
        value={secret}
        options={[
          { value: 'key', label: t.bySecret },
          { value: 'none', label: t.byWorkloads },
        ]}
        onValueChange={(value) => setSecret(value as typeof secret)}
      />
      {secret === 'none' && (
        <>
          <p>{t.byWorkloadsHint}</p>
          <FederatedCredentials
            credentials={workloads}
            whyNot={undefined}
            onAdding={setAddingWorkload}
            change={async (credentials) => {
              setWorkloads(credentials)
              // It names workloads by their places in the former list.
              submission.forget()
            }}
          />
          {workloads.map((workload, index) => {
            const mistake = submission.errors[placeOf(workload, index)]
            return (
              mistake && (
                <Notice key={workload.name} tone="danger" role="alert">
                  {workload.name}: {mistake}
                </Notice>
              )
            )
          })}
        </>
      )}
      <Form errors={submission.errors} onSubmit={submission.onSubmit}>
        <ApiTextField of={operation} name="name" label={t.name} hint={t.nameHint} autoFocus />
        <Select
          label={t.lifetime}
          name="expiresAt"
          value={lifetime}
          onValueChange={setLifetime}
          options={Object.entries(t.lifetimes).map(([value, label]) => ({ value, label }))}
        />
        <Segmented
          label={t.startWith}
          value={presets.find(({ slugs }) => slugs.toSorted().join() === chosen.toSorted().join())?.value ?? 'own'}
          options={presets.map(({ value, label }) => ({ value, label }))}
          onValueChange={(preset) => setChosen([...(presets.find(({ value }) => value === preset)?.slugs ?? [])])}
        />
        <PermissionPicker name="permissions" legend={t.permissions} value={chosen} onValueChange={setChosen} />
        <FormFoot of={submission} onCancel={onClose} action={t.create} disabledReason={whyNot} />
        {question}
      </Form>
    </Drawer>
  )
}
