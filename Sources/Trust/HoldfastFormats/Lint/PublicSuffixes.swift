/// A few names below which anyone can register, for lint alone: no decision depends on it, and a name that is missing
/// here costs a warning and nothing else.
enum PublicSuffixes {
    /// When the table was put together.
    static let date = "2026-11-21"

    /// Whether anyone can register below a name. Every single label counts, but for the names of private networks.
    static func contains(_ name: String) -> Bool {
        if !name.contains(".") { return !privateNames.contains(name) }
        return table.contains(name)
    }

    private static let privateNames: Set<String> = [
        "localhost", "local", "internal", "intranet", "corp", "home", "lan", "private", "test", "example", "invalid",
    ]

    private static let table: Set<String> = [
        // Registries.
        "co.uk", "org.uk", "ac.uk", "gov.uk", "me.uk", "net.uk", "com.au", "net.au", "org.au", "edu.au", "gov.au",
        "co.nz", "org.nz", "net.nz", "govt.nz", "co.jp", "ne.jp", "or.jp", "ac.jp", "go.jp", "com.br", "net.br",
        "org.br", "gov.br", "com.cn", "net.cn", "org.cn", "gov.cn", "com.tw", "com.hk", "com.sg", "com.my", "co.in",
        "net.in", "org.in", "gov.in", "co.kr", "or.kr", "co.za", "org.za", "com.mx", "com.ar", "com.tr", "com.ua",
        "co.il", "co.id", "com.vn", "com.ph", "co.th", "com.pl", "net.pl", "com.ru", "com.es", "com.pt", "com.gr",
        "com.sa", "co.ke", "com.ng", "com.eg", "com.pk", "com.bd", "com.co", "com.pe", "com.ve", "co.at", "or.at",
        // Companies under whose names strangers put their pages.
        "github.io", "gitlab.io", "githubusercontent.com", "herokuapp.com", "netlify.app", "vercel.app", "pages.dev",
        "workers.dev", "web.app", "firebaseapp.com", "appspot.com", "run.app", "cloudfunctions.net",
        "azurewebsites.net",
        "cloudapp.net", "azureedge.net", "blob.core.windows.net", "cloudfront.net", "s3.amazonaws.com",
        "elasticbeanstalk.com", "amplifyapp.com", "fly.dev", "onrender.com", "blogspot.com", "wordpress.com",
        "ngrok.io", "ngrok.app", "readthedocs.io", "surge.sh", "glitch.me", "repl.co", "deno.dev", "vercel.dev",
    ]
}
