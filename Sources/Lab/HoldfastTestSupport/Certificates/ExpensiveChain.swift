public import HoldfastTrust

/// A chain that is expensive to verify: many names and many constraints, very many paths, long names, or expensive
/// signatures.
///
/// Tests use it to check that budgets hold. Benchmarks use it to measure the cost of a refusal.
public struct ExpensiveChain: Sendable, CustomStringConvertible {
    /// A description of the attack.
    public let name: String
    /// The presented certificates, the server's own first.
    public let presented: [[UInt8]]
    /// The root at the end of the paths.
    public let root: CertificateView
    /// The finding that a verification of ``host`` must return.
    public let expected: TrustFinding.Code

    /// The host to verify every chain for.
    public static let host = "chat.example.com"

    /// The name of the chain.
    public var description: String { name }

    init(_ name: String, _ presented: [Identity], root: Identity, _ expected: TrustFinding.Code) {
        self.name = name
        self.presented = presented.map(\.certificateDER)
        self.root = root.view
        self.expected = expected
    }

    /// Returns all expensive chains.
    public static func all(_ factory: CertificateFactory) throws -> [ExpensiveChain] {
        let root = try factory.authority("Expensive Root")
        return try constrained(factory, root) + lattices(factory, root) + policies(factory, root)
            + floods(factory, root)
    }

    // MARK: - Names and constraints

    private static func constrained(_ factory: CertificateFactory, _ root: Identity) throws -> [ExpensiveChain] {
        let host = general(2, Array(ExpensiveChain.host.utf8))
        func chain(
            _ name: String, names: [[UInt8]], permitted: [[UInt8]] = [], excluded: [[UInt8]] = [],
            _ expected: TrustFinding.Code
        ) throws -> ExpensiveChain {
            let issuing = try factory.intermediate(
                "Constrained", signedBy: root,
                .with { $0.extraExtensions = [constraints(permitted: permitted, excluded: excluded)] })
            let leaf = try factory.leaf([], signedBy: issuing, .with { $0.extraGeneralNames = [host] + names })
            return ExpensiveChain(name, [leaf, issuing], root: root, expected)
        }
        func texts(_ tag: UInt8, _ count: Int, _ text: (Int) -> String) -> [[UInt8]] {
            (0..<count).map { general(tag, Array(text($0).utf8)) }
        }
        // The budget is 500 constraints with 500 names, including the subject.
        let long = String(repeating: "abcdefgh.", count: 24)
        let (attributes, reversed) = (manyAttributes(200), manyAttributes(200).reversed())
        return try [
            chain(
                "2,000 DNS names, 4,000 constraints", names: texts(2, 2_000) { "h\($0).example.com" },
                permitted: texts(2, 3_999) { "p\($0).example.org" } + texts(2, 1) { _ in "example.com" },
                .budgetExceeded),
            chain(
                "498 DNS names, 500 constraints", names: texts(2, 498) { "h\($0).example.com" },
                permitted: texts(2, 499) { "p\($0).example.org" } + texts(2, 1) { _ in "example.com" }, .validPath),
            chain(
                "498 long DNS names, 500 long constraints", names: texts(2, 498) { "h\($0).\(long)example.com" },
                excluded: texts(2, 500) { "x\($0).\(long)example.com" }, .validPath),
            chain(
                "498 wildcards, 500 constraints", names: texts(2, 498) { "*.h\($0).example.com" },
                excluded: texts(2, 500) { "a.x\($0).example.com" }, .validPath),
            chain(
                "498 addresses, 500 ranges",
                names: (0..<498).map { general(7, [10, 0, UInt8($0 / 256), UInt8($0 % 256)]) },
                excluded: (0..<500).map {
                    general(7, [192, 168, UInt8($0 / 256), UInt8($0 % 256), 255, 255, 255, 255])
                }, .validPath),
            chain(
                "498 mailboxes, 500 constraints", names: texts(1, 498) { "u\($0)@\(long)example.com" },
                excluded: texts(1, 500) { $0 % 2 == 0 ? "u@\(long)x\($0).com" : ".x\($0).\(long)example.com" },
                .validPath),
            chain(
                "498 URIs, 500 constraints", names: texts(6, 498) { "https://u:p@h\($0).\(long)example.com/path?q" },
                excluded: texts(6, 500) { ".x\($0).\(long)example.com" }, .validPath),
            chain(
                "498 directory names, 500 constraints",
                names: (0..<498).map { directory(CertificateName.der("n\($0)", "Organization")) },
                excluded: (0..<500).map { directory(CertificateName.der("x\($0)", "Organization")) }, .budgetExceeded),
            chain(
                "12 directory names of 200 attributes against themselves in the other order",
                names: (0..<12).map { directory(relativeName(attributes + [attribute("n\($0)")])) },
                excluded: (0..<12).map { directory(relativeName(reversed + [attribute("x\($0)")])) }, .validPath),
            chain(
                "a directory name of 100,000 bytes, 2,000 constraints",
                names: [
                    directory(CertificateName.der(String(repeating: "A", count: 100_000)))
                ], excluded: (0..<2_000).map { directory(CertificateName.der("a\($0)")) }, .budgetExceeded),
            chain(
                "498 names of another form, 500 constraints",
                names: (0..<498).map { general(8, [0x2A, UInt8($0 % 128)]) },
                excluded: texts(2, 500) { "x\($0).example.org" }, .validPath),
        ]
    }

    // MARK: - Paths

    /// Layers of authorities. The authorities in one layer share a name and a key, so that `width` to the power of
    /// `depth` paths exist.
    private static func lattice(
        _ factory: CertificateFactory, _ root: Identity, width: Int, depth: Int, kind: KeyKind = .p256,
        leafNames: [[UInt8]] = [], _ change: (Int, inout CertificateOptions) -> Void = { _, _ in }
    ) throws -> [Identity] {
        var presented: [Identity] = []
        var above = root
        for layer in 0..<depth {
            var options = CertificateOptions(key: try Key(kind))
            change(layer, &options)
            let row = try (0..<width).map { _ in
                try factory.intermediate("Layer \(layer)", signedBy: above, options)
            }
            presented += row
            above = row[0]
        }
        let leaf = try factory.leaf(
            [ExpensiveChain.host], signedBy: above, .with { $0.extraGeneralNames = leafNames })
        return [leaf] + presented
    }

    private static func lattices(_ factory: CertificateFactory, _ root: Identity) throws -> [ExpensiveChain] {
        let stranger = try factory.authority("Stranger")
        let padding = String(repeating: "x", count: 5_000)
        let oneExclusion = constraints(permitted: [], excluded: [general(2, Array("example.org".utf8))])
        let allExcluded = constraints(permitted: [], excluded: [general(2, Array("example.com".utf8))])
        return try [
            ExpensiveChain(
                "3 to the power of 10 paths without an anchor", lattice(factory, root, width: 3, depth: 10),
                root: stranger,
                .budgetExceeded),
            ExpensiveChain(
                "3 to the power of 10 paths, names of 5,000 bytes",
                lattice(factory, root, width: 3, depth: 10) { $1.organization = padding }, root: stranger,
                .budgetExceeded),
            ExpensiveChain(
                "3 to the power of 10 paths, all longer than the path length constraint",
                lattice(factory, root, width: 3, depth: 10) {
                    $1.organization = padding
                    if $0 == 0 { $1.pathLength = 3 }
                }, root: root, .budgetExceeded),
            ExpensiveChain(
                "3 to the power of 10 paths, names of 251 parts in two encodings",
                lattice(factory, root, width: 3, depth: 10) { layer, options in
                    options.subject = manyParts(layer, tag: 0x13, "unit")
                    options.issuer = layer == 0 ? nil : manyParts(layer - 1, tag: 0x0C, "UNIT")
                }, root: stranger, .budgetExceeded),
            ExpensiveChain(
                "3 to the power of 10 paths under constraints that exclude all of them",
                lattice(factory, root, width: 3, depth: 10) { layer, options in
                    options.extraExtensions = [layer == 0 ? allExcluded : oneExclusion]
                }, root: root, .budgetExceeded),
            ExpensiveChain(
                "2,000 names on 2 to the power of 10 paths under constraints",
                lattice(
                    factory, root, width: 2, depth: 10,
                    leafNames: (0..<2_000).map { general(2, Array("h\($0).example.com".utf8)) }
                ) { layer, options in
                    options.extraExtensions = [layer == 0 ? allExcluded : oneExclusion]
                }, root: root, .nameConstraintViolation),
            ExpensiveChain(
                "98 authorities in a row", lattice(factory, root, width: 1, depth: 98), root: root, .budgetExceeded),
            ExpensiveChain(
                "100 signatures of P-384", lattice(factory, root, width: 7, depth: 9, kind: .p384), root: stranger,
                .budgetExceeded),
            ExpensiveChain(
                "100 signatures of P-521", lattice(factory, root, width: 7, depth: 9, kind: .p521), root: stranger,
                .budgetExceeded),
        ]
    }

    // MARK: - Large amounts of data

    private static func floods(_ factory: CertificateFactory, _ root: Identity) throws -> [ExpensiveChain] {
        let names = (0..<8_000).map { general(2, Array("host-\($0).example.org".utf8)) }
        let many = try factory.leaf([], signedBy: root, .with { $0.extraGeneralNames = names })
        let leaf = try factory.leaf([ExpensiveChain.host], signedBy: root)
        let weak = try Key.shared(.rsa4096, "expensive")
        let impostors = try (0..<98).map { _ in
            try factory.intermediate("Impostor", signedBy: root, .init(key: weak))
        }
        let victim = try factory.leaf(
            [ExpensiveChain.host], signedBy: impostors[0], .with { $0.signingKey = root.key })
        let wide = try (0..<99).map { _ in
            try factory.authority("Noise", .with { $0.organization = String(repeating: "é", count: 1_000) })
        }
        let folded = try (0..<60).map { number in
            try factory.authority(
                "\(number)", .with { $0.organization = String(repeating: "É", count: 2_000) })
        }
        let sorted = try (0..<60).map { number in
            try factory.authority(
                "Sorted",
                .with {
                    $0.subject = relativeName(Array((0..<230).map { attribute("\(number)-\($0)") }.reversed()))
                })
        }
        return [
            ExpensiveChain(
                "60 certificates with the longest names that are case-folded", [leaf] + folded, root: root, .validPath),
            ExpensiveChain(
                "60 certificates with 230 attributes in one relative name", [leaf] + sorted, root: root,
                .validPath),
            ExpensiveChain("8,000 names without the host", [many], root: root, .hostMismatch),
            ExpensiveChain(
                "98 authorities that did not sign, RSA-4096", [victim] + impostors, root: root, .badSignature),
            ExpensiveChain("99 unrelated certificates with long names", [leaf] + wide, root: root, .validPath),
            ExpensiveChain(
                "101 certificates", [leaf] + wide + [leaf], root: root, .tooManyCertificates),
        ]
    }

    // MARK: - Helpers

    private static func general(_ tag: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        DERBytes.context(tag, constructed: false, bytes)
    }

    private static func directory(_ name: [UInt8]) -> [UInt8] { DERBytes.context(4, constructed: true, name) }

    private static func constraints(permitted: [[UInt8]], excluded: [[UInt8]]) -> ExtraExtension {
        func list(_ number: UInt8, _ names: [[UInt8]]) -> [UInt8] {
            guard !names.isEmpty else { return [] }
            return DERBytes.context(
                number, constructed: true, names.reduce(into: []) { $0 += DERBytes.sequence([$1]) })
        }
        return ExtraExtension(
            "2.5.29.30", isCritical: true, value: DERBytes.sequence([list(0, permitted), list(1, excluded)]))
    }

    private static func attribute(_ value: String) -> [UInt8] {
        DERBytes.sequence([DERBytes.objectIdentifier("2.5.4.11"), DERBytes.utf8String(value)])
    }

    /// Returns a name of 251 relative names, in the given string type and letter case.
    private static func manyParts(_ layer: Int, tag: UInt8, _ word: String) -> [UInt8] {
        CertificateName.der(
            [("2.5.4.3", tag, Array("\(word) \(layer)".utf8))]
                + (0..<250).map { _ in ("2.5.4.11", tag, Array(word.utf8)) })
    }

    private static func manyAttributes(_ count: Int) -> [[UInt8]] {
        (0..<count).map { attribute("u\($0)") }
    }

    private static func relativeName(_ attributes: [[UInt8]]) -> [UInt8] {
        DERBytes.sequence([DERBytes.set(attributes)])
    }
}
