import ArgumentParser
import Foundation
import HoldfastDifferential

/// `holdfast-conformance differential`.
struct DifferentialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "differential",
        abstract: "Compares Holdfast with OpenSSL and pyca/cryptography on generated cases.",
        discussion: """
            Needs python3 with cryptography 45 or newer, and OpenSSL 3 as a shared library. A verifier that is missing \
            is named and skipped. Exit code 1 if Holdfast accepts a case that a verifier refuses, unless \
            docs/internals/x509-conformance.md explains it. The same seed generates the same cases, with other keys.
            """)

    @Option(help: "chains, timestamps, lists or policies (default: all).") var kind: DifferentialKind?
    @Option(help: "The number of cases of each kind.") var cases = 20_000
    @Option(help: "The seed.") var seed: UInt64 = 1
    @Flag(help: "Print a case for each reason to refuse what the other verifiers accept.") var examples = false

    @Option(help: "A file for the cases that are not explained, as JSON lines for scripts/differential.py.")
    var save: String?

    func validate() throws {
        guard (1...10_000_000).contains(cases) else { throw ValidationError("--cases must be from 1 to 10000000.") }
    }

    func run() async throws {
        guard let references = await ReferenceJudges.installed(), references.openssl != nil || references.pyca != nil
        else {
            throw ValidationError(
                "No verifier is installed. Install python3 with cryptography (pip install cryptography), or OpenSSL 3.")
        }
        print("OpenSSL: \(references.openssl ?? "skipped, \(references.opensslMissing ?? "it is missing")")")
        print("pyca/cryptography: \(references.pyca ?? "skipped, \(references.pycaMissing ?? "it is missing")")")
        var isClean = true
        var unexplained = Data()
        for kind in kind.map({ [$0] }) ?? DifferentialKind.allCases {
            let clock = ContinuousClock()
            let start = clock.now
            let report = try await DifferentialRun.run(kind, cases: cases, seed: seed, references)
            print("\n\(kind.rawValue), seed \(seed), \(start.duration(to: clock.now).components.seconds) s")
            print(report.description)
            for item in report.unexplained {
                print(
                    "≠ case \(item.number) [\(item.changes.joined(separator: ", "))]: accepted (\(item.code)), "
                        + "\(item.reference) refuses: \(item.reason ?? "")")
            }
            if examples {
                for (name, item) in report.examples.sorted(by: { $0.key < $1.key }) {
                    print("  \(name): case \(item.number) [\(item.changes.joined(separator: ", "))]")
                }
            }
            for item in report.unexplainedCases { unexplained += try JSONEncoder().encode(item) + Data([0x0A]) }
            isClean = isClean && report.isClean
        }
        if let save { try unexplained.write(to: URL(fileURLWithPath: save)) }
        guard isClean else { throw ExitCode(1) }
    }
}

extension DifferentialKind: ExpressibleByArgument {}
