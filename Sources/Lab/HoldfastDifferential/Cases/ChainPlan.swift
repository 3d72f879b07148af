import HoldfastTestSupport
import HoldfastTrust

/// A chain before it is minted. Changes make it invalid or unusual.
struct ChainPlan {
    var root: CertificateOptions
    var intermediates: [CertificateOptions]
    var leaf: CertificateOptions
    var dnsNames = [CaseWorld.host]
    var addresses: [String] = []
    var host = CaseWorld.host
    var time: Timestamp
    /// Whether the server's certificate signs itself.
    var isSelfSigned = false
    /// Whether the server's certificate is an anchor.
    var anchorsLeaf = false
    /// Whether the root is an anchor.
    var anchorsRoot = true
    /// Whether the last authority has a second certificate of an unknown root, or of the same root with other dates.
    var crossSigning: CrossSigning?
    var order = Order.normal
    /// Whether one byte of a presented certificate is changed.
    var corrupts = false

    enum CrossSigning: CaseIterable { case unknownRoot, unknownRootFirst, expired, withoutCA }

    enum Order: CaseIterable { case normal, reversed, duplicates, missing, withRoot, unrelated, shuffled }

    init(_ world: inout CaseWorld) {
        root = world.options(world.keys[0])
        intermediates = []
        for number in 0..<world.number(0...3) { intermediates.append(world.options(world.keys[1 + number])) }
        leaf = world.options(world.keys[6])
        time = world.now
    }

    /// The minted certificates of a case.
    struct Minted {
        var anchors: [[UInt8]]
        /// The presented certificates, the server's own first.
        var chain: [[UInt8]]
        /// The place of a presented certificate with a changed byte.
        var corrupted: Int?
    }

    /// Mints the certificates.
    func minted(_ world: inout CaseWorld) throws -> Minted {
        let factory = world.factory
        let top = try factory.authority("Root", root)
        var issuers = [top]
        for (number, options) in intermediates.enumerated() {
            issuers.append(try factory.intermediate("Authority \(number)", signedBy: issuers[number], options))
        }
        let server = try factory.leaf(
            dnsNames, ipAddresses: addresses, signedBy: isSelfSigned ? nil : issuers[issuers.count - 1], leaf)
        var chain = [server.certificateDER] + issuers.dropFirst().reversed().map(\.certificateDER)
        if let crossSigning, let last = issuers.last, issuers.count > 1 {
            let other = try factory.authority("Unknown Root", world.options(world.keys[8]))
            var options = world.options(last.key)
            options.subject = last.subject
            if crossSigning == .expired { options.notAfter = world.now.advanced(bySeconds: -1) }
            if crossSigning == .withoutCA { options.isCA = false }
            let isUnknown = crossSigning == .unknownRoot || crossSigning == .unknownRootFirst
            let twin = try factory.intermediate("Twin", signedBy: isUnknown ? other : top, options)
            let isFirst = crossSigning != .unknownRoot
            chain.insert(twin.certificateDER, at: isFirst ? 1 : chain.count)
        }
        try arrange(&chain, top, &world)
        var corrupted: Int?
        if corrupts {
            var der = world.pick(chain)
            let place = chain.firstIndex(of: der) ?? 0
            world.corrupt(&der)
            chain[place] = der
            corrupted = place
        }
        let anchors = (anchorsRoot ? [top.certificateDER] : []) + (anchorsLeaf ? [server.certificateDER] : [])
        return Minted(anchors: anchors, chain: chain, corrupted: corrupted)
    }

    private func arrange(_ chain: inout [[UInt8]], _ root: Identity, _ world: inout CaseWorld) throws {
        let rest = Array(chain.dropFirst())
        switch order {
        case .normal: break
        case .reversed: chain = [chain[0]] + rest.reversed()
        case .shuffled: chain = [chain[0]] + rest.shuffled(using: &world.random)
        case .duplicates: chain += rest + [chain[0]]
        case .missing: if !rest.isEmpty { chain.remove(at: world.number(1...rest.count)) }
        case .withRoot: chain.append(root.certificateDER)
        case .unrelated:
            let other = try world.factory.authority("Unrelated", world.options(world.keys[9]))
            chain.insert(other.certificateDER, at: 1)
        }
    }

    /// Facts about the chain that explain a difference, in addition to the names of the changes.
    var facts: [String] {
        let authorities = [root] + intermediates
        var facts: [String] = []
        if ([leaf] + authorities).contains(where: { $0.notAfter == time }) { facts.append("lastSecond") }
        if leaf.extendedKeyUsages == [.any] { facts.append("anyPurpose") }
        if authorities.contains(where: { $0.extendedKeyUsages == [.any] }) { facts.append("anyAuthorityPurpose") }
        if isSelfSigned && anchorsLeaf { facts.append("anchoredSelfSigned") }
        let names = authorities.compactMap(\.nameConstraints).flatMap { $0.permittedDNSNames + $0.excludedDNSNames }
        if names.contains("") { facts.append("emptyConstraint") }
        if names.contains(where: { $0.hasPrefix(".") }) { facts.append("dottedConstraint") }
        return facts
    }

    /// The places of the authorities: 0 is the root.
    var authorities: ClosedRange<Int> { 0...intermediates.count }

    /// Changes the options of one authority.
    mutating func change(authority place: Int, _ change: (inout CertificateOptions) -> Void) {
        if place == 0 { change(&root) } else { change(&intermediates[place - 1]) }
    }
}
