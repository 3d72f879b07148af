import Foundation
import HoldfastTestKit
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// The trial with programs that do not use Holdfast: it distinguishes clients with pins from clients without.
@Suite("Pinning trial: other programs", .timeLimit(.minutes(3))) struct OtherClientsTrialTests {
    // MARK: - curl

    /// Returns a client that runs curl, and throws for every other exit code than 0.
    private static func curl(_ options: [String]) -> @Sendable (URL) async throws -> Void {
        { url in
            let result = try await PeerProgram.curl.run(
                ["--silent", "--show-error", "--noproxy", "*", "--tlsv1.2", "--max-time", "20"] + options + [
                    url.absoluteString
                ])
            guard result.status == 0 else { throw ClientError("curl: exit code \(result.status)") }
        }
    }

    /// The option for a trial's pins.
    private static func pins(_ trial: PinningTrial) -> [String] {
        ["--pinnedpubkey", trial.pins.map { "sha256//\($0.base64)" }.joined(separator: ";")]
    }

    @Test(.enabled(if: PeerProgram.curl.isInstalled, "curl is not installed"))
    func curlWithPinsRefusesAllAttacks() async throws {
        let trial = try PinningTrial()
        try await trial.requireRefusals(Self.curl(["--cacert", trial.caFile] + Self.pins(trial)))
    }

    @Test(.enabled(if: PeerProgram.curl.isInstalled, "curl is not installed"))
    func curlWithoutPinsAcceptsTheAttackersOfATrustedAuthority() async throws {
        let trial = try PinningTrial()
        let report = try await trial.report(Self.curl(["--cacert", trial.caFile]))
        #expect(report.accepted == [.wrongKey, .smuggledPin], "\(report)")
        #expect(report.failures.count == 2, "\(report)")
    }

    /// `--insecure` disables the verification of the chain and the host, but not of the pins.
    @Test(.enabled(if: PeerProgram.curl.isInstalled, "curl is not installed"))
    func curlWithPinsOnlyAcceptsThePinnedKeyWithAnyCertificate() async throws {
        let trial = try PinningTrial()
        let report = try await trial.report(Self.curl(["--insecure"] + Self.pins(trial)))
        #expect(report.accepted == [.wrongHost, .expired], "\(report)")
        #expect(report.failures.count == 2, "\(report)")
    }

    // MARK: - Python

    /// Sends a request with `requests`. The arguments are the roots, the URL, and a fingerprint or nothing.
    private static let requestsScript = """
        import sys
        import requests
        from requests.adapters import HTTPAdapter

        roots, url, fingerprint = sys.argv[1:4]

        class Pinned(HTTPAdapter):
            def init_poolmanager(self, *arguments, **options):
                super().init_poolmanager(*arguments, assert_fingerprint=fingerprint, **options)

        session = requests.Session()
        session.trust_env = False
        if fingerprint:
            session.mount("https://", Pinned())
        try:
            session.get(url, verify=roots, timeout=20).raise_for_status()
        except requests.exceptions.RequestException as error:
            print(error)
            sys.exit(1)
        """

    /// Sends a request with Python's own library, which has no pins. The arguments are the roots and the URL.
    private static let urllibScript = """
        import ssl, sys, urllib.request

        context = ssl.create_default_context(cafile=sys.argv[1])
        handlers = [urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context)]
        try:
            urllib.request.build_opener(*handlers).open(sys.argv[2], timeout=20).read()
        except OSError as error:
            print(error)
            sys.exit(1)
        """

    /// Returns a client that runs a script, and throws its output for every other exit code than 0.
    private static func python(
        _ script: String, _ trial: PinningTrial, _ options: [String] = []
    ) -> @Sendable (URL) async throws -> Void {
        let roots = trial.caFile
        return { url in
            let result = try await PeerProgram.python3.run(["-c", script, roots, url.absoluteString] + options)
            guard result.status == 0 else { throw ClientError("python3: \(result.status) \(result.output)") }
        }
    }

    /// Returns whether Python has this module.
    static func hasModule(_ name: String) async -> Bool {
        guard PeerProgram.python3.isInstalled else { return false }
        return (try? await PeerProgram.python3.run(["-c", "import \(name)"]))?.status == 0
    }

    @Test(.enabled("python3 has no requests") { await OtherClientsTrialTests.hasModule("requests") })
    func pythonRequestsWithAFingerprintRefusesAllAttacks() async throws {
        let trial = try PinningTrial(pinned: .certificate)
        let bytes = trial.site.identity.view.certificateDigest.bytes
        let fingerprint = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        try await trial.requireRefusals(Self.python(Self.requestsScript, trial, [fingerprint]))
    }

    @Test(.enabled("python3 has no requests") { await OtherClientsTrialTests.hasModule("requests") })
    func pythonRequestsWithoutPinsAcceptsTheAttackersOfATrustedAuthority() async throws {
        let trial = try PinningTrial()
        let report = try await trial.report(Self.python(Self.requestsScript, trial, [""]))
        #expect(report.accepted == [.wrongKey, .smuggledPin], "\(report)")
        #expect(report.failures.count == 2, "\(report)")
    }

    @Test(.enabled(if: PeerProgram.python3.isInstalled, "python3 is not installed"))
    func pythonsOwnLibraryAcceptsTheAttackersOfATrustedAuthority() async throws {
        let trial = try PinningTrial()
        let report = try await trial.report(Self.python(Self.urllibScript, trial))
        #expect(report.accepted == [.wrongKey, .smuggledPin], "\(report)")
        #expect(report.failures.count == 2, "\(report)")
    }
}
