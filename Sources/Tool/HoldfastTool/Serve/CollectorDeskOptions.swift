import ArgumentParser
import Foundation
import HoldfastBase
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

    @Option(
        help: ArgumentHelp(
            "Watch the roll-out of a bundle with stages: its file and the number of installations, as in "
                + "shop.bundle=1000000, or with the number after each stage: shop.bundle=1000000/5000/1000000. "
                + "Repeatable.",
            valueName: "file=number"),
        completion: .file(), transform: WatchedRollout.init)
    var rollout: [WatchedRollout] = []

    @Option(
        help: ArgumentHelp("The private key file for halts; never one for bundles.", valueName: "file"),
        completion: .file())
    var haltKey: String?

    @Option(help: ArgumentHelp("The halt key's id in the app.", valueName: "id"), transform: BundleKeyID.parse)
    var haltKeyID: String?

    @Option(
        help: ArgumentHelp("The halt file to write if the roll-out must stop.", valueName: "file"),
        completion: .file())
    var haltOut: String?

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
        let halt = [haltKey, haltKeyID, haltOut].compactMap(\.self)
        guard halt.isEmpty || halt.count == 3 else {
            throw ValidationError("--halt-key, --halt-key-id and --halt-out must be given together")
        }
        guard halt.isEmpty || rollout.count == 1 else {
            throw ValidationError("--halt-key needs exactly one --rollout")
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
        configuration.rollouts = try rollout.map { try $0.read() }
        configuration.haltOutput = try makeHaltOutput()
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

    private func makeHaltOutput() throws -> ReportHaltOutput? {
        guard let haltKey, let haltKeyID, let haltOut else { return nil }
        // A file that is missing is described when it is read.
        guard !FileMode.isOpenToOthers(haltKey) else {
            throw ToolError(
                "other users can read or write the halt key '\(Printable.text(haltKey))': change its mode to 0600")
        }
        return try ReportHaltOutput(
            key: BundleKeyFile.signer(path: haltKey, id: haltKeyID, role: .halt), path: haltOut)
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

/// A roll-out on the command line: FILE=FLEET, or FILE=FLEET/STAGE/STAGE with the number of installations after each
/// stage.
struct WatchedRollout: Hashable, Sendable {
    let path: String
    let fleet: Int
    let cohorts: [Int]

    init(_ argument: String) throws {
        let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
        let numbers = (parts.last ?? "").split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        path = parts.dropLast().joined(separator: "=")
        let sizes = numbers.compactMap(\.self)
        guard !path.isEmpty, sizes.count == numbers.count, let fleet = sizes.first, sizes.allSatisfy({ $0 > 0 }) else {
            throw ValidationError(
                "'\(Printable.text(argument))' is not FILE=NUMBER, as in shop.bundle=1000000 "
                    + "or shop.bundle=1000000/5000/1000000")
        }
        self.fleet = fleet
        cohorts = Array(sizes.dropFirst())
    }

    /// Reads the bundle. Blocks on the disk.
    func read() throws -> ReportRollout {
        let contents = try InputFile(path: path).readAll(limit: SignedBundle.maximumSize)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return try ReportRollout(name: name, contents: contents, fleet: fleet, cohorts: cohorts)
    }
}
