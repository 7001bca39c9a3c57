import { clientSecretOnly, type Framework, pathOf, portOf, type Values, withSessionSecret } from './framework.ts'

const signIn = (values: Values) => `# pip install authlib flask requests
# set -a; . ./.env; flask --app app run --port ${portOf(values, 5000)}
import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

app = Flask(__name__)
app.secret_key = os.environ["SESSION_SECRET"]
gatehouse = OAuth(app).register(
    "gatehouse",
    server_metadata_url="${values.issuer}/.well-known/openid-configuration",
    client_id="${values.clientId}",
    client_secret=os.environ["GATEHOUSE_CLIENT_SECRET"],
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)


@app.get("/login")
def login():
    return gatehouse.authorize_redirect("${values.redirectUri}")


@app.get("${pathOf(values)}")
def callback():
    session["user"] = gatehouse.authorize_access_token()["userinfo"]
    return redirect("/")


@app.get("/")
def home():
    user = session.get("user")
    return {"hello": user["name"], "sub": user["sub"]} if user else redirect("/login")
`

const service = (values: Values) => `# pip install authlib requests
# set -a; . ./.env; python3 service.py
import os

from authlib.integrations.requests_client import OAuth2Session

gatehouse = OAuth2Session("${values.clientId}", os.environ["GATEHOUSE_CLIENT_SECRET"])
token = gatehouse.fetch_token("${values.issuer}/oauth2/token", grant_type="client_credentials")
print(token["access_token"], "expires in", token["expires_in"], "seconds")
`

export const authlib: Framework = {
  id: 'authlib',
  name: 'Python: Authlib',
  kinds: ['web'],
  redirectUri: 'http://localhost:5000/callback',
  idTokenSignedResponseAlg: 'RS256',
  snippets: (values) => [{ file: 'app.py', language: 'python', code: signIn(values) }],
  environment: withSessionSecret,
}

export const authlibService: Framework = {
  id: 'authlib-service',
  name: 'Python: Authlib',
  kinds: ['service'],
  snippets: (values) => [{ file: 'service.py', language: 'python', code: service(values) }],
  environment: clientSecretOnly,
}
