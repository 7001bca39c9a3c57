import { useQueryClient } from '@tanstack/react-query'
import { answerWithTag, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { type UserDetails, userQuery } from '../../api/users.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { EditForm, useEdit } from '../../parts/edit-form.tsx'
import { lineOfMistake } from '../../parts/json-mistake.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { LockedFacts } from '../../parts/locked-facts.tsx'
import { PhoneField } from '../../parts/phone-field.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { claimsTexts as claims } from '../../texts/claims.ts'
import { shellTexts } from '../../texts/shell.ts'
import { usersTexts as t } from '../../texts/users.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { FormRow } from '../../ui/form.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TextField } from '../../ui/text-field.tsx'

const operation = 'PATCH /v1/admin/users/{id}'

const valuesOf = ({ firstName, lastName, phone, metadata }: UserDetails) => ({
  ...{ firstName, lastName, phone: phone ?? '' },
  metadata: JSON.stringify(metadata, null, 2),
})

export function UserProfile({ user, tag }: { user: UserDetails; tag: string | undefined }) {
  return (
    <>
      <Panel title={t.profile}>{useMayChange()(operation) ? <ProfileForm user={user} tag={tag} /> : <ProfileFacts user={user} />}</Panel>
      <Panel title={t.signIn}>
        <Facts
          items={[
            { term: t.emailVerified, value: user.emailVerifiedAt ? <Time at={user.emailVerifiedAt} /> : t.unverified },
            { term: t.secondFactor, value: user.mfaEnabled ? t.on : t.off },
            { term: t.lastSignIn, value: user.lastLoginAt ? <Time at={user.lastLoginAt} /> : shellTexts.never },
            ...(user.lockedUntil ? [{ term: t.lockedUntil, value: <Time at={user.lockedUntil} /> }] : []),
            { term: t.created, value: <Time at={user.createdAt} /> },
            { term: t.changed, value: <Time at={user.updatedAt} /> },
          ]}
        />
      </Panel>
    </>
  )
}

function ProfileForm({ user, tag }: { user: UserDetails; tag: string | undefined }) {
  const queries = useQueryClient()
  const path = { id: user.id }
  const edit = useEdit(valuesOf(user), tag)
  const { field } = edit
  return (
    <EditForm
      edit={edit}
      targetId={user.id}
      labels={{ firstName: t.firstName, lastName: t.lastName, phone: t.phone, metadata: claims.metadata }}
      save={async ({ phone, metadata, ...changes }, header) => {
        const body = {
          ...{ ...changes, ...(phone !== undefined && { phone: phone || null }) },
          ...(metadata !== undefined && { metadata: readMetadata(metadata) }),
        }
        const saved = await answerWithTag(api.PATCH('/v1/admin/users/{id}', { params: { path, header }, body }))
        await invalidate(queries, 'users')
        return saved
      }}
      readAgain={async () => {
        const now = await answerWithTag(api.GET('/v1/admin/users/{id}', { params: { path } }))
        queries.setQueryData(userQuery(user.id).queryKey, now)
        return { values: valuesOf(now.body), tag: now.tag }
      }}
    >
      <FormRow>
        <ApiTextField of={operation} {...field('firstName')} label={t.firstName} required />
        <ApiTextField of={operation} {...field('lastName')} label={t.lastName} required />
      </FormRow>
      <PhoneField of={operation} {...field('phone')} stored={user.phone} label={t.phone} hint={t.phoneHint} />
      <TextField {...field('metadata')} label={claims.metadata} hint={metadataHint(edit.values.metadata)} mono multiline={6} />
    </EditForm>
  )
}

/** The mistake, while the text is no object. */
function metadataHint(text: string) {
  const line = lineOfMistake(text)
  return line === undefined ? claims.metadataHint : claims.noJson(line)
}

/** A text that is no JSON is sent as it is: the API refuses it, and its refusal is shown at the field. */
function readMetadata(text: string): Record<string, unknown> {
  return lineOfMistake(text) === undefined ? JSON.parse(text) : (text as never)
}

function ProfileFacts({ user }: { user: UserDetails }) {
  return (
    <LockedFacts
      of={operation}
      items={[
        { term: t.firstName, value: user.firstName },
        { term: t.lastName, value: user.lastName },
        { term: t.phone, value: user.phone ?? shellTexts.none },
        { term: claims.metadata, value: <JsonView value={user.metadata} label={claims.metadata} /> },
      ]}
    />
  )
}
