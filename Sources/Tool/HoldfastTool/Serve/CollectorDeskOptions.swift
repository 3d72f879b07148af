import ArgumentParser
import Foundation
import HoldfastTrust
import PinReportCollector

/// The options of `holdfast serve collector` for the report desk. See docs/report-desk.md.
struct CollectorDeskOptions: ParsableArguments {
    static let webhookSecretVariable = "HOLDFAST_WEBHOOK_SECRET"
    static let metricsTokenVariable = "HOLDFAST_METRICS_TOKEN"

    @Flag(help: "Do not serve the report desk.")
    var noDesk = false

    @Option(
        help: ArgumentHelp(
            "The origin at which browsers see the desk, if a proxy terminates TLS.", valueName: "https://host"))
    var deskOrigin: String?

    @Option(
        help: ArgumentHelp(
            "A bundle or policy of an app, which the desk compares reports with. Repeatable.", valueName: "file"),
        completion: .file())
    var knownPolicy: [String] = []

    @Option(help: ArgumentHelp("A file with the token for /metrics.", valueName: "file"), completion: .file())
    var metricsTokenFile: String?

    @Option(help: ArgumentHelp("Tell this address about new incidents.", valueName: "https url"))
    var webhook: String?

    @Option(
        help: ArgumentHelp("A file with the secret that signs the webhook's messages.", valueName: "file"),
        completion: .file())
    var webhookSecretFile: String?

    /// The files whose contents are secret.
    var secretFiles: [String] { [metricsTokenFile, webhookSecretFile].compactMap(\.self) }

    func validate() throws {
        guard webhookSecretFile == nil || webhook != nil else {
            throw ValidationError("--webhook-secret-file needs --webhook")
        }
        guard !noDesk || (deskOrigin == nil && knownPolicy.isEmpty) else {
            throw ValidationError("--no-desk cannot be combined with --desk-origin and --known-policy")
        }
    }

    /// Returns the configuration. Blocks on the disk.
    func makeConfiguration() throws -> ReportDeskConfiguration {
        var configuration = ReportDeskConfiguration()
        configuration.isEnabled = !noDesk
        configuration.origin = deskOrigin
        for path in knownPolicy {
            let contents = try InputFile(path: path).readAll(limit: SignedBundle.maximumSize)
            let name = path.split(separator: "/").last.map(String.init) ?? path
            configuration.knownPolicies.append(try ReportDeskPolicy(name: name, contents: contents))
        }
        // Without the roots of the system, the desk cannot tell a public authority from another one, and says so.
        let environment = ProcessInfo.processInfo.environment
        configuration.authorities = noDesk ? [] : (try? SystemRoots.load(environment: environment))?.certificates ?? []
        if let metricsTokenFile {
            configuration.metricsToken = try ReaderToken(file: metricsTokenFile)
        } else if let token = EnvironmentVariable.value(of: Self.metricsTokenVariable) {
            configuration.metricsToken = try ReaderToken(token)
        }
        if let webhook { configuration.webhook = try makeWebhook(webhook) }
        return configuration
    }

    private func makeWebhook(_ url: String) throws -> ReportWebhook {
        if let webhookSecretFile { return try ReportWebhook(url: url, secretFile: webhookSecretFile) }
        guard let secret = EnvironmentVariable.value(of: Self.webhookSecretVariable) else {
            throw ToolError(
                "--webhook needs a secret that signs its messages: give --webhook-secret-file, or set "
                    + Self.webhookSecretVariable, status: .usage)
        }
        return try ReportWebhook(url: url, secret: secret)
    }
}
