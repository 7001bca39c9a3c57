import type en from '../en/federated-credentials.ts'

const de: typeof en = {
  title: 'Workloads ohne Secret',
  hint: 'CI-Jobs, Service-Accounts von Kubernetes und SPIFFE-Workloads weisen sich mit dem Token ihrer Plattform aus. Braucht die Erweiterung federated_credentials.',
  show: 'Workloads',
  showOf: (name) => `Workloads von ${name}`,
  withoutSecret: 'ohne Secret',
  name: 'Name',
  workload: 'Workload',
  claims: 'Claims',
  add: 'Workload hinzufügen',
  remove: 'Entfernen',
  removeName: (name) => `${name} entfernen`,
  removeQuestion: (name) => `Workload ${name} entfernen?`,
  removeEffect: 'Er wird sofort abgewiesen, und die kurzlebigen Schlüssel enden. Andere Workloads erhalten neue.',
  platform: 'Plattform',
  platforms: { github: 'GitHub Actions', gitlab: 'GitLab', kubernetes: 'Kubernetes', spiffe: 'SPIFFE', other: 'Eine andere' },
  nameHint: 'Welcher Workload es ist, für Menschen.',
  issuer: 'Aussteller',
  issuerHint: 'Der Claim iss seiner Token, genau so.',
  subject: 'Subject',
  subjectHint:
    'Der Claim sub seiner Token: genau so, oder mit * am Ende nach einem : oder /. Ein Muster vertraut jedem, der ein solches Subject bekommt.',
  claimsHint: 'Weitere Claims, die das Token haben muss, einer je Zeile, etwa environment=production.',
  claimsUnreadable: 'Ein Claim je Zeile, als name=wert',
  jwks: 'Öffentliche Schlüssel',
  jwksHint: 'Nur für einen Aussteller, der keine veröffentlicht: seine Schlüssel als JSON.',
  optional: 'optional',
}

export default de
