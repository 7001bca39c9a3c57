import { clientSecretOnly, type Framework, isInsecure, originOf, pathOf, type Values } from './framework.ts'

const code = (values: Values) => `// dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect
// set -a; . ./.env; dotnet run --urls ${originOf(values)}
using System.Security.Claims;
using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Authentication.OpenIdConnect;

var builder = WebApplication.CreateBuilder(args);
builder.Services
    .AddAuthentication(options =>
    {
        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
    })
    .AddCookie()
    .AddOpenIdConnect(options =>
    {
        options.Authority = "${values.issuer}";${isInsecure(values) ? '\n        options.RequireHttpsMetadata = false;' : ''}
        options.ClientId = "${values.clientId}";
        options.ClientSecret = builder.Configuration["GATEHOUSE_CLIENT_SECRET"];
        options.CallbackPath = "${pathOf(values)}";
        options.ResponseType = "code";
        options.ResponseMode = "query";
        options.Scope.Add("email");
        options.MapInboundClaims = false;
        options.TokenValidationParameters.NameClaimType = "name";
    });
builder.Services.AddAuthorization();

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/", (ClaimsPrincipal user) => $"Hello {user.Identity?.Name}").RequireAuthorization();
app.Run();
`

export const aspNetCore: Framework = {
  id: 'asp-net-core',
  name: '.NET: ASP.NET Core',
  kinds: ['web'],
  redirectUri: 'http://localhost:5000/signin-oidc',
  idTokenSignedResponseAlg: 'RS256',
  snippets: (values) => [{ file: 'Program.cs', language: 'csharp', code: code(values) }],
  environment: clientSecretOnly,
}
