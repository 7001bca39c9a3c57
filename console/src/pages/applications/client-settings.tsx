import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, type ClientChanges, changeClient, clientQuery } from '../../api/clients.ts'
import { invalidate } from '../../api/keys.ts'
import { limitsOf } from '../../api/operations.ts'
import { serviceQuery } from '../../api/service.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { DurationField } from '../../parts/duration-field.tsx'
import { EditForm, useEdit } from '../../parts/edit-form.tsx'
import { formatDuration } from '../../parts/format.ts'
import { shownValue } from '../../parts/json-view.tsx'
import { lineNames, withFilledLines } from '../../parts/lines.ts'
import { UriLines } from '../../parts/uri-lines.tsx'
import { useMayChange, useWhyNot } from '../../parts/use-change.ts'
import { useHostQuestion } from '../../parts/use-host-question.tsx'
import { applicationTexts as t } from '../../texts/application.ts'
import { clientSettingsTexts as own } from '../../texts/client-settings.ts'
import { shellTexts } from '../../texts/shell.ts'
import { CheckboxGroup } from '../../ui/checkbox.tsx'
import { Contents } from '../../ui/contents.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { FormSection } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { labels } from './client-fields.ts'

/** The sections of the page, in their order. */
const sections = ['general', 'addresses', 'access', 'lifetimes'] as const

const operation = 'PATCH /v1/admin/clients/{id}'

/** The values of the form: texts where the API has null, and scopes and levels as one text. */
function valuesOf(client: Client) {
  const { description, logoUrl, initiateLoginUri, scopes, defaultAcrValues, backchannelLogoutUri } = client
  return {
    name: client.name,
    description: description ?? '',
    logoUrl: logoUrl ?? '',
    redirectUris: client.redirectUris,
    postLogoutRedirectUris: client.postLogoutRedirectUris,
    initiateLoginUri: initiateLoginUri ?? '',
    grantTypes: client.grantTypes,
    scopes: scopes.join(' '),
    requirePkce: client.requirePkce,
    allowPlainPkce: client.allowPlainPkce,
    requireConsent: client.requireConsent,
    requirePushedAuthorizationRequests: client.requirePushedAuthorizationRequests,
    requireSignedRequestObject: client.requireSignedRequestObject,
    requireDpop: client.requireDpop,
    accessTokenLifetime: client.accessTokenLifetime as number | null,
    idTokenLifetime: client.idTokenLifetime as number | null,
    refreshTokenLifetime: client.refreshTokenLifetime as number | null,
    refreshTokenAbsoluteLifetime: client.refreshTokenAbsoluteLifetime as number | null,
    authorizationCodeTtl: client.authorizationCodeTtl,
    refreshTokenGraceSeconds: client.refreshTokenGraceSeconds,
    idTokenSignedResponseAlg: client.idTokenSignedResponseAlg,
    introspectionSignedResponseAlg: client.introspectionSignedResponseAlg,
    defaultAcrValues: defaultAcrValues?.join(' ') ?? '',
    defaultMaxAge: client.defaultMaxAge as number | null,
    backchannelLogoutUri: backchannelLogoutUri ?? '',
    backchannelLogoutSessionRequired: client.backchannelLogoutSessionRequired,
    backchannelLogoutRevokesRefresh: client.backchannelLogoutRevokesRefresh,
  }
}

type Values = ReturnType<typeof valuesOf>
type Toggle = { [Name in keyof Values]: Values[Name] extends boolean ? Name : never }[keyof Values]

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '')

function changesOf(values: Partial<Values>): ClientChanges {
  const { description, logoUrl, initiateLoginUri, backchannelLogoutUri, scopes, ...others } = values
  const { defaultAcrValues, ...same } = others
  return {
    ...same,
    ...(description !== undefined && { description: description.trim() || null }),
    ...(logoUrl !== undefined && { logoUrl: logoUrl.trim() || null }),
    ...(initiateLoginUri !== undefined && { initiateLoginUri: initiateLoginUri.trim() || null }),
    ...(backchannelLogoutUri !== undefined && { backchannelLogoutUri: backchannelLogoutUri.trim() || null }),
    ...(scopes !== undefined && { scopes: wordsOf(scopes) }),
    // The API refuses unknown levels.
    ...(defaultAcrValues !== undefined && {
      defaultAcrValues:
        defaultAcrValues.trim() === '' ? null : (wordsOf(defaultAcrValues) as NonNullable<ClientChanges['defaultAcrValues']>),
    }),
  }
}

export function ClientSettings({ client, tag }: { client: Client; tag: string | undefined }) {
  const mayChange = useMayChange()(operation)
  return <Panel>{mayChange ? <SettingsForm client={client} tag={tag} /> : <SettingsFacts client={client} />}</Panel>
}

const shownSetting = (name: string, value: unknown) =>
  typeof value === 'number' && /Lifetime$|Seconds$|MaxAge$/.test(name) ? formatDuration(value) : shownValue(value)

function SettingsFacts({ client }: { client: Client }) {
  const values = valuesOf(client)
  return (
    <>
      <Notice tone="neutral">{useWhyNot()(operation)}</Notice>
      <Facts
        items={Object.entries(values).map(([name, value]) => ({ term: labels[name as keyof Values], value: shownSetting(name, value) }))}
      />
    </>
  )
}

function SettingsForm({ client, tag }: { client: Client; tag: string | undefined }) {
  const queries = useQueryClient()
  const edit = useEdit<Values>(valuesOf(client), tag)
  const { values, set, field } = edit
  const { id } = client
  const isPublic = client.clientType === 'public'
  const { askAboutHosts, question } = useHostQuestion()
  const plainPkce = useQuery(serviceQuery).data?.pkcePlain
  const duration = (name: keyof Values, hint?: string, inherit?: string) => {
    const { minimum, maximum } = limitsOf(operation, name)
    return (
      <DurationField
        name={name}
        label={labels[name]}
        hint={hint}
        value={values[name] as number | null}
        onValueChange={(seconds) => set(name, seconds as never)}
        inherit={inherit}
        min={minimum}
        max={maximum}
      />
    )
  }
  const toggle = (name: Toggle, hint: string, disabledReason?: string | false) => (
    <Switch
      name={name}
      label={labels[name]}
      hint={hint}
      {...(disabledReason && { disabledReason })}
      checked={values[name]}
      onCheckedChange={(value) => set(name, value)}
    />
  )
  return (
    <>
      <EditForm
        edit={edit}
        targetId={client.id}
        labels={labels}
        // The API counts only the lines that it receives.
        tidy={withFilledLines}
        before={async (changes) => {
          for (const name of ['redirectUris', 'postLogoutRedirectUris'] as const) {
            const about = { field: name, application: client.name, uris: changes[name] ?? [], known: client[name] }
            if (!(await askAboutHosts(about))) return false
          }
          return true
        }}
        fields={[...lineNames('redirectUris', values.redirectUris), ...lineNames('postLogoutRedirectUris', values.postLogoutRedirectUris)]}
        save={async (changes, { 'If-Match': ifMatch }) => {
          const saved = await changeClient(id, changesOf(changes), ifMatch)
          await invalidate(queries, 'clients')
          return saved
        }}
        readAgain={async () => {
          const now = await queries.fetchQuery({ ...clientQuery(id), staleTime: 0 })
          return { values: valuesOf(now.body), tag: now.tag }
        }}
      >
        <Contents label={shellTexts.onThisPage} items={sections.map((id) => ({ id, label: own[id] }))} />
        <FormSection id="general" title={own.general}>
          <ApiTextField of={operation} {...field('name')} label={t.name} hint={own.nameHint} required />
          <ApiTextField of={operation} {...field('description')} label={t.descriptionField} multiline={2} />
          <ApiTextField of={operation} {...field('logoUrl')} label={t.logoUrl} hint={own.logoUrlHint} inputMode="url" />
        </FormSection>
        <FormSection id="addresses" title={own.addresses}>
          <UriLines
            name="redirectUris"
            label={t.redirectUris}
            hint={own.redirectUrisHint}
            lineLabel={own.redirectUri}
            lines={values.redirectUris}
            onLinesChange={(lines) => set('redirectUris', lines)}
          />
          <UriLines
            name="postLogoutRedirectUris"
            label={t.postLogoutRedirectUris}
            hint={own.postLogoutRedirectUrisHint}
            lineLabel={own.postLogoutRedirectUri}
            lines={values.postLogoutRedirectUris}
            onLinesChange={(lines) => set('postLogoutRedirectUris', lines)}
          />
          <ApiTextField
            of={operation}
            {...field('initiateLoginUri')}
            label={t.initiateLoginUri}
            hint={own.initiateLoginUriHint}
            inputMode="url"
            mono
          />
          <ApiTextField
            of={operation}
            {...field('backchannelLogoutUri')}
            label={t.backchannelLogoutUri}
            hint={own.backchannelLogoutUriHint}
            inputMode="url"
            mono
          />
          {toggle('backchannelLogoutSessionRequired', own.backchannelLogoutSessionRequiredHint)}
          {toggle('backchannelLogoutRevokesRefresh', own.backchannelLogoutRevokesRefreshHint)}
        </FormSection>
        <FormSection id="access" title={own.access}>
          <CheckboxGroup
            legend={t.grantTypes}
            name="grantTypes"
            value={values.grantTypes}
            onValueChange={(grants) => set('grantTypes', grants as Values['grantTypes'])}
            options={Object.entries(own.grants).map(([value, hint]) => ({
              value,
              label: value,
              hint,
              ...(isPublic && value === 'client_credentials' && { disabledReason: own.needsSecret }),
            }))}
          />
          <ApiTextField of={operation} {...field('scopes')} label={t.scopes} hint={own.scopesHint} mono />
          {toggle('requirePkce', own.requirePkceHint, isPublic && own.publicNeedsPkce)}
          {toggle('allowPlainPkce', own.allowPlainPkceHint, plainPkce === false && !client.allowPlainPkce && own.plainDenied)}
          <ApiTextField of={operation} {...field('defaultAcrValues')} label={t.defaultAcrValues} hint={own.defaultAcrValuesHint} mono />
          {toggle('requireConsent', own.requireConsentHint)}
          {toggle('requirePushedAuthorizationRequests', own.requirePushedAuthorizationRequestsHint)}
          {toggle(
            'requireSignedRequestObject',
            own.requireSignedRequestObjectHint,
            !client.jwks && !client.jwksUri && !client.requireSignedRequestObject && own.needsKey,
          )}
          {toggle('requireDpop', own.requireDpopHint)}
        </FormSection>
        <FormSection id="lifetimes" title={own.lifetimes}>
          {duration('accessTokenLifetime', undefined, own.asOrganisation)}
          {duration('idTokenLifetime', undefined, own.asOrganisation)}
          {duration('refreshTokenLifetime', own.refreshTokenLifetimeHint, own.asOrganisation)}
          {duration('refreshTokenAbsoluteLifetime', own.refreshTokenAbsoluteLifetimeHint, own.asOrganisation)}
          {duration('defaultMaxAge', own.defaultMaxAgeHint, own.anyAge)}
          {duration('authorizationCodeTtl')}
          {duration('refreshTokenGraceSeconds', own.refreshTokenGraceSecondsHint)}
          <Select
            name="idTokenSignedResponseAlg"
            label={t.idTokenSignedResponseAlg}
            hint={own.idTokenSignedResponseAlgHint}
            value={values.idTokenSignedResponseAlg}
            options={['EdDSA', 'RS256'].map((value) => ({ value, label: value }))}
            onValueChange={(value) => set('idTokenSignedResponseAlg', value as Values['idTokenSignedResponseAlg'])}
          />
          {client.clientType === 'confidential' && (
            <Select
              name="introspectionSignedResponseAlg"
              label={t.introspectionSignedResponseAlg}
              hint={own.introspectionSignedResponseAlgHint}
              value={values.introspectionSignedResponseAlg ?? 'RS256'}
              options={['RS256', 'EdDSA'].map((value) => ({ value, label: value }))}
              // RS256 is what it is without a choice.
              onValueChange={(value) => set('introspectionSignedResponseAlg', value === 'EdDSA' ? 'EdDSA' : null)}
            />
          )}
        </FormSection>
      </EditForm>
      {question}
    </>
  )
}
