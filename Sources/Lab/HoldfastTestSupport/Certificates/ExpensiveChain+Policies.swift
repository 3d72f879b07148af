import HoldfastTrust

/// Chains whose certificate policies are expensive to process.
extension ExpensiveChain {
    /// Returns chains of authorities that map policies to each other (RFC 9618, section 1).
    static func policies(_ factory: CertificateFactory, _ root: Identity) throws -> [ExpensiveChain] {
        let few = names(16)
        let mappings = few.flatMap { from in few.map { (from, $0) } }
        let many = names(255) + ["2.5.29.32.0"]
        let chained = (0..<255).map { (many[$0], many[($0 + 1) % 255]) }
        return try [
            ExpensiveChain(
                "10 authorities that map 16 policies to all of them: a tree of 16 to the power of 10 nodes",
                layers(
                    factory, root, width: 1, [.certificatePolicies(few), .policyMappings(mappings)],
                    server: [.certificatePolicies(few)]), root: root, .validPath),
            ExpensiveChain(
                "2 to the power of 9 paths with 256 policies, and none for the server",
                layers(
                    factory, root, width: 2, [.certificatePolicies(many), .policyMappings(chained)], server: []),
                root: root, .budgetExceeded),
        ]
    }

    private static func names(_ count: Int) -> [String] { (0..<count).map { "1.3.6.1.4.1.99999.4.\($0)" } }

    /// Returns a server below layers of authorities. The first layer requires a policy. The authorities in one layer
    /// share a name and a key.
    private static func layers(
        _ factory: CertificateFactory, _ root: Identity, width: Int, _ extensions: [ExtraExtension],
        server: [ExtraExtension]
    ) throws -> [Identity] {
        var presented: [Identity] = []
        var above = root
        for layer in 0..<(width == 1 ? 10 : 9) {
            var options = CertificateOptions(key: try Key())
            options.extraExtensions =
                extensions + (layer == 0 ? [.policyConstraints(requireExplicitPolicy: 0)] : [])
            let row = try (0..<width).map { _ in
                try factory.intermediate("Policy Layer \(layer)", signedBy: above, options)
            }
            presented += row
            above = row[0]
        }
        let leaf = try factory.leaf([ExpensiveChain.host], signedBy: above, .with { $0.extraExtensions = server })
        return [leaf] + presented
    }
}
