import { CommandFailure } from './failures.ts'

export const idVariable = 'GATEHOUSE_API_KEY_ID'

export interface FederatedOptions {
  federated?: boolean
  tokenFile?: string
  apiKeyId?: string
}

export const federatedOptions = [
  ['--federated', 'with --url: authenticate by the token of GitHub, GitLab or Kubernetes instead of an API key'],
  ['--token-file <file>', 'with --federated: the file with the token, where the platform is another one'],
  ['--api-key-id <id>', `with --federated: the API key to exchange it for, instead of ${idVariable}`],
] as const

/** @throws CommandFailure for options that mean nothing without others */
export function refuseWithoutService({ federated, tokenFile, apiKeyId }: FederatedOptions, url: string | undefined): void {
  if (federated && url === undefined) throw new CommandFailure('--federated is for a service elsewhere: name it with --url')
  if (!federated && (tokenFile !== undefined || apiKeyId !== undefined))
    throw new CommandFailure('--token-file and --api-key-id go with --federated')
}
