import ArgumentParser
import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `holdfast-conformance pkits FILE`.
struct PkitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pkits", abstract: "Runs NIST's PKITS cases through the verifier.",
        discussion: """
            Prints each case in which Holdfast and the suite disagree, and a line for each section. Each certificate \
            below the anchor needs a revocation list, as in the suite. Exit code 1 if a case disagrees.
            """)

    @Argument(help: "The suite's JSON file.") var file: String
    @Flag(help: "Also print the cases that agree.") var all = false

    private struct Outcome {
        var testcase: PkitsCase
        var finding: TrustFinding
        var accepted: Bool { finding.isFavourable }
        var agrees: Bool { accepted == testcase.valid }
    }

    func run() throws {
        let data: Data
        do { data = try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
            throw ValidationError("\(file) cannot be read.")
        }
        let outcomes = try JSONDecoder().decode([PkitsCase].self, from: data).map {
            Outcome(testcase: $0, finding: verify($0))
        }
        for outcome in outcomes where all || !outcome.agrees {
            let verb = outcome.accepted ? "accepted" : "refused"
            let expected = outcome.testcase.valid ? "valid" : "invalid"
            print(
                "\(outcome.agrees ? "  " : "≠ ")\(outcome.testcase.id)  \(outcome.testcase.title)  \(verb), "
                    + "suite \(expected)  \(outcome.finding.code.rawValue): \(outcome.finding.reason)")
        }
        var order: [String] = []
        for outcome in outcomes where !order.contains(outcome.testcase.section) {
            order.append(outcome.testcase.section)
        }
        for section in order {
            let cases = outcomes.filter { $0.testcase.section == section }
            print("\(section): \(cases.count { $0.agrees }) of \(cases.count) agree")
        }
        let falseAccepts = outcomes.count { $0.accepted && !$0.agrees }
        print(
            "all: \(outcomes.count { $0.agrees }) of \(outcomes.count) agree, "
                + "\(falseAccepts) accepted against the suite"
        )
        if outcomes.contains(where: { !$0.agrees }) { throw ExitCode(1) }
    }

    private func verify(_ testcase: PkitsCase) -> TrustFinding {
        do {
            let lists = try testcase.crls.map { try RevocationList(der: der($0)) }
            guard let time = Timestamp(iso8601: testcase.time) else {
                return TrustFinding(.invalidConfiguration, "The time of the case cannot be read.")
            }
            let engine = TrustEngine(
                anchors: .only([try CertificateView(der: der(testcase.anchor))]), revocationLists: lists,
                requiresRevocationLists: true, certificatePolicies: try testcase.policyInputs)
            return try engine.verify(
                PresentedChain(der: testcase.chain.map(der)), host: CanonicalHost(testcase.host), at: time
            ).finding
        } catch {
            return TrustFinding(.malformedCertificate, "\(error)")
        }
    }

    /// Returns the DER bytes of a PEM block; empty if it is invalid.
    private func der(_ pem: String) -> [UInt8] {
        (try? PEMReader.blocks(in: Array(pem.utf8)))?.first?.der ?? []
    }
}

/// One test case of NIST's PKITS. It contains only the fields that matter for a TLS client.
struct PkitsCase: Decodable {
    /// The number of the case, for example `PKITS 4.3.10`.
    var id: String
    var title: String
    /// The result that the suite expects if the revocation lists of the whole path are checked.
    var valid: Bool
    var anchor: String
    /// The certificates as PEM, the server's own first.
    var chain: [String]
    /// The revocation lists as PEM.
    var crls: [String]
    var host: String
    var time: String
    /// The acceptable policies by the suite's names. Empty if any policy is acceptable.
    var initialPolicies: [String]
    var initialExplicitPolicy: Bool
    var initialPolicyMappingInhibit: Bool
    var initialAnyPolicyInhibit: Bool

    /// The inputs for certificate policies. The suite's policies are numbered below `2.16.840.1.101.3.2.1.48`.
    var policyInputs: CertificatePolicyInputs {
        get throws(CertificatePolicyError) {
            var inputs = CertificatePolicyInputs()
            inputs.initialExplicitPolicy = initialExplicitPolicy
            inputs.initialPolicyMappingInhibit = initialPolicyMappingInhibit
            inputs.initialAnyPolicyInhibit = initialAnyPolicyInhibit
            guard !initialPolicies.isEmpty else { return inputs }
            var accepted: Set<CertificatePolicyIdentifier> = []
            for name in initialPolicies.flatMap({ $0.split(separator: ",") }) {
                let number = name.split(separator: "-").last ?? ""
                accepted.insert(try CertificatePolicyIdentifier("2.16.840.1.101.3.2.1.48.\(number)"))
            }
            inputs.userInitialPolicySet = accepted
            return inputs
        }
    }

    /// The section of the suite, for example `4.3`.
    var section: String {
        let number = id.split(separator: " ").last ?? ""
        return number.split(separator: ".").prefix(2).joined(separator: ".")
    }
}
