import HoldfastTestSupport

/// Authorities that certify each other at random, with random defects, as plain values. The certificates are created
/// from these values, and the oracle sees nothing else.
struct PathWorld {
    /// A name with a key. Several parties may share a name.
    struct Party: Hashable {
        var name: Int
        var key: Int
    }

    enum Defect: CaseIterable, Hashable {
        case expired, notYetValid, noCA, noCertSign, clientOnly, sha1, brokenSignature, unknownCritical, excludesHost
        case permitsElsewhere, shortKey
    }

    /// The kinds of key identifiers: correct, missing or misleading. They are hints and must not affect whether a path
    /// is found.
    enum Identifiers: CaseIterable {
        case right, missing, misleading
    }

    struct Certificate {
        var subject: Party
        var issuer: Party
        /// The key that made the signature. It differs from the issuer's key if the certificate is forged.
        var signer: Int
        var defects: Set<Defect>
        var pathLength: Int?
        var identifiers = Identifiers.right
    }

    /// The anchors of the verifier. Some are self-signed, others were issued by each other or by sent certificates.
    var roots: [Certificate] = []
    /// The certificates that the server sends after its own, in this order.
    var presented: [Certificate] = []
    var leaf: Certificate
    /// The key to pin, and the key to deny.
    var pinned: Int
    var denied: Int

    static let leafParty = Party(name: 99, key: 99)

    init(using random: inout SeededGenerator) {
        func chance(_ percent: Int, _ random: inout SeededGenerator) -> Bool {
            Int.random(in: 0..<100, using: &random) < percent
        }
        // Up to five names, some with two keys. The last one or two parties are roots.
        var parties: [Party] = []
        for name in 0..<Int.random(in: 2...5, using: &random) {
            parties.append(Party(name: name, key: parties.count))
            if chance(20, &random) { parties.append(Party(name: name, key: parties.count)) }
        }
        // One key with two names.
        if chance(30, &random), let twin = parties.randomElement(using: &random) {
            parties.append(Party(name: 5, key: twin.key))
        }
        let trusted = (0..<Int.random(in: 1...2, using: &random)).map { Party(name: 10 + $0, key: 10 + $0) }
        let all = parties + trusted

        func certificate(
            _ subject: Party, by issuer: Party, defective percent: Int, _ random: inout SeededGenerator
        ) -> Certificate {
            var certificate = Certificate(subject: subject, issuer: issuer, signer: issuer.key, defects: [])
            if chance(percent, &random) {
                let defect = Defect.allCases[Int.random(in: 0..<Defect.allCases.count, using: &random)]
                certificate.defects.insert(defect)
            }
            if chance(percent, &random) { certificate.pathLength = Int.random(in: 0...2, using: &random) }
            if chance(percent / 4, &random) {
                certificate.signer = all[Int.random(in: 0..<all.count, using: &random)].key
            }
            if chance(40, &random) {
                certificate.identifiers = Identifiers.allCases.randomElement(using: &random) ?? .right
            }
            return certificate
        }

        roots = trusted.map { certificate($0, by: $0, defective: 15, &random) }
        // A connected chain ensures that many worlds have a path. Further certificates are added at random.
        let spine = parties.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
        for (lower, upper) in zip(spine, Array(spine.dropFirst()) + [trusted[0]]) {
            presented.append(certificate(lower, by: upper, defective: 20, &random))
        }
        for _ in 0..<Int.random(in: 1...7, using: &random) {
            let subject = all[Int.random(in: 0..<all.count, using: &random)]
            let issuer = all[Int.random(in: 0..<all.count, using: &random)]
            presented.append(certificate(subject, by: issuer, defective: 40, &random))
        }
        if chance(20, &random), let first = roots.first { presented.append(first) }
        presented.shuffle(using: &random)
        leaf = certificate(
            Self.leafParty, by: chance(10, &random) ? trusted[0] : spine[0], defective: 0, &random)
        leaf.pathLength = nil
        pinned = (all + [Self.leafParty])[Int.random(in: 0...all.count, using: &random)].key
        denied = all[Int.random(in: 0..<all.count, using: &random)].key
        // Intermediates that are also anchors. Most of them are not sent.
        for _ in 0..<2 where chance(30, &random) {
            let index = Int.random(in: 0..<presented.count, using: &random)
            roots.append(presented[index])
            if presented.count > 1, chance(70, &random) { presented.remove(at: index) }
        }
    }
}
