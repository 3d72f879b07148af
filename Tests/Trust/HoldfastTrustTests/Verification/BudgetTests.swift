import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Chains that are constructed to be expensive to verify. The tests do not measure time: they check that the search
/// ends with the finding of the reached limit, and how much of the budget it used.
@Suite("Budgets")
struct BudgetTests {
    let scene = TrustScene()

    /// Returns the chain of a leaf below layers of authorities.
    ///
    /// All authorities of a layer have the same name and key, and are signed by the layer above. Therefore `width` to
    /// the power of `depth` paths exist. The chain includes all layers.
    private func lattice(
        width: Int, depth: Int, above top: Identity, padding: Int = 0
    ) throws -> (leaf: Identity, authorities: [Identity]) {
        let organization = padding > 0 ? String(repeating: "x", count: padding) : nil
        var authorities: [Identity] = []
        var above = top
        for layer in 0..<depth {
            let key = try Key()
            let options = CertificateOptions.with {
                $0.key = key
                $0.organization = organization
            }
            let row = try (0..<width).map { _ in
                try scene.factory.intermediate("Layer \(layer)", signedBy: above, options)
            }
            authorities += row
            above = row[0]
        }
        return (try scene.factory.leaf([TrustScene.host], signedBy: above), authorities)
    }

    private func search(
        _ presented: [Identity], anchors: [Identity], _ budget: VerificationBudget = .standard
    ) throws -> (outcome: PathSearch.Outcome, cost: VerificationCost) {
        var search = PathSearch(
            chain: scene.chain(presented), leaf: presented[0].view, anchors: [AnchorIndex(anchors.map(\.view))],
            options: try scene.options { $0.budget = budget }, time: scene.now)
        let outcome = search.search(.strict) { _ in false }
        return (outcome, search.spent)
    }

    // MARK: - Presented certificates

    @Test("accepts 100 certificates, and refuses 101")
    func presentedCertificates() throws {
        let root = try scene.factory.authority("Root")
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root)
        let noise = try scene.factory.authority("Noise")
        let full = [leaf] + Array(repeating: noise, count: 99)
        #expect(try scene.system(full, anchors: [root]).decision == .allow)
        let verdict = try scene.system(full + [noise], anchors: [root])
        expectOnly(.tooManyCertificates, verdict)
        #expect(verdict.finding.facts.limit == 100)
    }

    @Test("refuses one byte above the limit")
    func presentedBytes() throws {
        let root = try scene.factory.authority("Root")
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root)
        var budget = VerificationBudget.standard
        budget.presentedBytes = leaf.certificateDER.count
        #expect(try scene.system([leaf], anchors: [root], budget: budget).decision == .allow)
        budget.presentedBytes -= 1
        let verdict = try scene.system([leaf], anchors: [root], budget: budget)
        expectOnly(.tooManyBytes, verdict)
        #expect(verdict.finding.facts.limit == budget.presentedBytes)
    }

    @Test("the limits of presented certificates apply in every mode")
    func presentedInAllModes() throws {
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        let flood = Array(repeating: leaf, count: 101)
        let listed = PinnedKeysOnly(certificates: [leaf.view])
        #expect(try scene.pinnedKeysOnly(flood, listed).finding.code == .tooManyCertificates)
        let policy = try scene.policy([Pin(leaf)]) { $0.enforcement = .reportOnly }
        #expect(try scene.pinned(flood, anchors: [leaf], under: policy).finding.code == .tooManyCertificates)
        #expect(try scene.pinned(flood, anchors: [leaf], under: policy).permitsConnection == false)
    }

    // MARK: - The search

    @Test("with a hundred keys for one name, the search reaches the limit of signature checks")
    func signatureChecks() throws {
        let root = try scene.factory.authority("Root")
        let real = try scene.factory.intermediate("Issuing", signedBy: root)
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: real)
        let decoys = try (0..<98).map { _ in try scene.factory.intermediate("Issuing", signedBy: root) }
        var budget = VerificationBudget.standard
        budget.signatureChecks = 20
        let verdict = try scene.system([leaf] + decoys, anchors: [root], budget: budget)
        expectOnly(.budgetExceeded, verdict)
        #expect(verdict.finding.facts.limit == 20)
        #expect(verdict.finding.reason.contains("20 signature checks"))
        // The standard budget allows 98 decoys, and the key identifier leads to the right one at once.
        #expect(try scene.system([leaf] + decoys + [real], anchors: [root], budget: budget).decision == .allow)
        expectOnly(.badSignature, try scene.system([leaf] + decoys, anchors: [root]))
    }

    @Test(
        "keys with expensive signatures use more of the budget",
        arguments: [(KeyKind.p256, 1), (.ed25519, 1), (.p384, 2), (.p521, 4)])
    func expensiveSignatures(kind: KeyKind, checks: Int) throws {
        let root = try scene.factory.authority("Root", .init(keyKind: kind))
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root)
        var budget = VerificationBudget.standard
        budget.signatureChecks = checks
        #expect(try scene.system([leaf], anchors: [root], budget: budget).decision == .allow)
        budget.signatureChecks -= 1
        expectOnly(.budgetExceeded, try scene.system([leaf], anchors: [root], budget: budget))
    }

    @Test("checks each signature once, regardless of the number of paths")
    func signatureOnce() throws {
        let root = try scene.factory.authority("Root")
        let (leaf, authorities) = try lattice(width: 2, depth: 6, above: root)
        let (outcome, cost) = try search([leaf] + authorities, anchors: [root])
        guard case .exhausted = outcome else {
            Issue.record("\(outcome)")
            return
        }
        // Two checks for the leaf, four between two layers, two below the root: 24 links form 2^6 paths.
        #expect(cost.signatureChecks == 2 + 5 * 4 + 2)
    }

    @Test("with 3 to the power of 10 paths, the search reaches the limit of candidates", arguments: [true, false])
    func candidates(isAnchored: Bool) throws {
        let root = try scene.factory.authority("Root")
        let top = isAnchored ? root : try scene.factory.authority("Nobody")
        let (leaf, authorities) = try lattice(width: 3, depth: 10, above: top)
        let (outcome, cost) = try search([leaf] + authorities, anchors: [root])
        guard case .overBudget(let finding) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(finding.code == .budgetExceeded)
        #expect(finding.facts.limit == 10_000)
        #expect(finding.reason.contains("candidate issuers"))
        #expect(cost.candidates == 10_001)
        #expect(cost.signatureChecks <= 100)
        let decision = try scene.system([leaf] + authorities, anchors: [root]).decision
        #expect(decision == (isAnchored ? .allow : .block))
    }

    @Test(
        "names of 7,000 bytes do not increase the cost of a step", .timeLimit(.minutes(1)),
        arguments: [true, false])
    func longNames(isAnchored: Bool) throws {
        let root = try scene.factory.authority("Root")
        let top = isAnchored ? root : try scene.factory.authority("Nobody")
        let (leaf, authorities) = try lattice(width: 3, depth: 10, above: top, padding: 7_000)
        let pins = [Pin(root.view.certificateDigest, scope: .leaf)]
        let verdict = try scene.pinned([leaf] + authorities, anchors: [root], under: scene.policy(pins))
        #expect(verdict.decision == .block)
        #expect(verdict.finding.code == (isAnchored ? .pinMismatch : .budgetExceeded))
        #expect(([verdict.finding] + verdict.notices).contains { $0.code == .budgetExceeded })
    }

    @Test("a valid path found within the budget is still reported as a mismatch")
    func mismatchWithinBudget() throws {
        let root = try scene.factory.authority("Root")
        let (leaf, authorities) = try lattice(width: 3, depth: 10, above: root)
        let stranger = try scene.factory.authority("Stranger")
        let verdict = try scene.pinned(
            [leaf] + authorities, anchors: [root], under: scene.policy([Pin(stranger)]))
        #expect(verdict.finding.code == .pinMismatch)
        #expect(verdict.systemFinding?.code == .validPath)
        #expect(verdict.notices.map(\.code) == [.budgetExceeded])
    }

    @Test("accepts ten intermediates, and reports one more as exceeded limit and not as unknown issuer")
    func pathLength() throws {
        let root = try scene.factory.authority("Root")
        let ten = try lattice(width: 1, depth: 10, above: root)
        #expect(try scene.system([ten.leaf] + ten.authorities, anchors: [root]).path?.certificates.count == 12)
        let eleven = try lattice(width: 1, depth: 11, above: root)
        let verdict = try scene.system([eleven.leaf] + eleven.authorities, anchors: [root])
        expectOnly(.budgetExceeded, verdict)
        #expect(verdict.finding.facts.limit == 12)
        #expect(verdict.finding.reason.contains("certificates on a path"))
        var budget = VerificationBudget.standard
        budget.pathLength = 13
        #expect(
            try scene.system([eleven.leaf] + eleven.authorities, anchors: [root], budget: budget).decision == .allow)
    }

    @Test("a budget of zero refuses every chain")
    func zeroBudget() throws {
        let root = try scene.factory.authority("Root")
        let leaf = try scene.factory.leaf([TrustScene.host], signedBy: root)
        for field: WritableKeyPath<VerificationBudget, Int> in [
            \.signatureChecks, \.candidates, \.presentedBytes, \.presentedCertificates,
        ] {
            var budget = VerificationBudget.standard
            budget[keyPath: field] = 0
            #expect(try scene.system([leaf], anchors: [root], budget: budget).decision == .block)
        }
    }

    // MARK: - Name constraints

    private func constrained(
        names: Int, constraints: Int
    ) throws -> (leaf: Identity, issuing: Identity, root: Identity) {
        let root = try scene.factory.authority("Root")
        let set = NameConstraintSet(
            permittedDNSNames: (0..<constraints - 1).map { "p\($0).example.org" } + ["example.com"])
        let issuing = try scene.factory.intermediate("Issuing", signedBy: root, .init(nameConstraints: set))
        let hosts = [TrustScene.host] + (1..<names).map { "h\($0).example.com" }
        return (try scene.factory.leaf(hosts, signedBy: issuing), issuing, root)
    }

    @Test("accepts 250,000 name constraint comparisons, the limit for 500 names and 500 constraints")
    func nameConstraints() throws {
        // The subject is a name as well: 499 alternative names and the subject make 500.
        let fits = try constrained(names: 499, constraints: 500)
        #expect(try scene.system([fits.leaf, fits.issuing], anchors: [fits.root]).decision == .allow)
        let over = try constrained(names: 500, constraints: 500)
        let verdict = try scene.system([over.leaf, over.issuing], anchors: [over.root])
        expectOnly(.budgetExceeded, verdict)
        #expect(verdict.finding.facts.limit == 250_000)
        #expect(verdict.finding.reason.contains("name constraint comparisons"))
    }

    @Test("long names cost more, because the cost depends on the number of bytes", .timeLimit(.minutes(1)))
    func longConstrainedNames() throws {
        let root = try scene.factory.authority("Root")
        let base = CertificateName.der("", String(repeating: "A", count: 100_000))
        let issuing = try scene.factory.intermediate(
            "Issuing", signedBy: root,
            .init(nameConstraints: NameConstraintSet(excludedDirectoryNames: [base])))
        let names = (0..<2_000).map { DERBytes.context(4, constructed: true, CertificateName.der("", "a\($0)")) }
        let leaf = try scene.factory.leaf(
            [TrustScene.host], signedBy: issuing, .with { $0.extraGeneralNames = names })
        let verdict = try scene.system([leaf, issuing], anchors: [root])
        expectOnly(.budgetExceeded, verdict)
        #expect(verdict.finding.reason.contains("name constraint comparisons"))
    }
}
