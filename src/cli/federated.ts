/** Lets commands work without a secret where the platform that runs them has signed who they are. */
import { existsSync } from 'node:fs'
import process from 'node:process'
import { isHttpsOrLocal } from '../platform/http/addresses.ts'
import { CommandFailure } from './failures.ts'
import { type FederatedOptions, idVariable } from './federated-options.ts'
import { readNamedFile } from './read-named-file.ts'

const tokenVariable = 'GATEHOUSE_ID_TOKEN'
/** Where the documentation lets Kubernetes put the token. */
const kubernetesFile = '/var/run/secrets/tokens/gatehouse'

/** The API key to exchange a token for, and the token. @throws CommandFailure when one of them is missing */
export async function federatedCredentials(url: string, { tokenFile, apiKeyId = process.env[idVariable] }: FederatedOptions) {
  if (!apiKeyId)
    throw new CommandFailure(`The variable ${idVariable} is not set: --federated takes the id of an API key with federated credentials`)
  return { apiKeyId, token: await findToken(new URL(url).origin, tokenFile) }
}

async function findToken(audience: string, file: string | undefined): Promise<string> {
  if (file !== undefined) return readToken(file, '--token-file')
  const {
    ACTIONS_ID_TOKEN_REQUEST_URL: address,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: permit,
    GITHUB_ACTIONS,
    [tokenVariable]: token,
  } = process.env
  if (address && permit) return askGitHub(address, permit, audience)
  if (token) return token
  if (existsSync(kubernetesFile)) return readToken(kubernetesFile, 'The token of Kubernetes')
  const hint =
    GITHUB_ACTIONS === 'true' ? 'the job needs the permission id-token: write' : `set ${tokenVariable}, or name a file with --token-file`
  throw new CommandFailure(`--federated finds no token of a platform: ${hint}`)
}

const readToken = async (file: string, named: string): Promise<string> => (await readNamedFile(file, { named })).trim()

/** GitHub signs a token for each audience that a job asks for, at the address and with the permit that the job has in its environment. */
async function askGitHub(address: string, permit: string, audience: string): Promise<string> {
  const url = URL.parse(address)
  if (!url || !isHttpsOrLocal(url)) throw new CommandFailure('ACTIONS_ID_TOKEN_REQUEST_URL must be an https address: the permit goes there')
  url.searchParams.set('audience', audience)
  const refuse = (reason: string): never => {
    throw new CommandFailure(`GitHub gave no token for this job: ${reason}`)
  }
  const response = await fetch(url, { headers: { authorization: `Bearer ${permit}` }, redirect: 'error' }).catch((error: Error) =>
    refuse(error.message),
  )
  if (!response.ok) return refuse(`status ${response.status}`)
  const { value } = (await response.json().catch(() => ({}))) as { value?: unknown }
  return typeof value === 'string' ? value : refuse('the response has none')
}
