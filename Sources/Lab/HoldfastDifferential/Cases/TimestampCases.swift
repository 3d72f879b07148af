import Foundation
import HoldfastTestSupport
import HoldfastTrust

/// Generates certificates with embedded timestamps. The chains themselves are valid.
struct TimestampCases {
    private let listed: [TestLog]
    private let unlisted: TestLog
    private let logs: TransparencyLogs
    private let root: Identity
    private let issuer: Identity

    private enum Change: String, CaseIterable {
        case unlistedLog, otherKey, time, tampered, issuerKeyHash, otherCertificate, extensions, position, repeated
        case lifetime, version, truncated, wrongAlgorithm, rsa, retired, none
    }

    init(_ world: inout CaseWorld) throws {
        func log(_ name: String, _ operatorName: String, _ state: TransparencyLog.State = .usable) throws -> TestLog {
            try TestLog(name, operator: operatorName).with {
                $0.state = state
                if state == .retired { $0.since = CertificateFactory.referenceTime.advanced(bySeconds: -10 * 86_400) }
            }
        }
        listed = [
            try log("oak", "Alpha"), try log("fir", "Alpha"), try log("elm", "Beta"), try log("ash", "Gamma"),
            try log("yew", "Delta", .readOnly), try log("larch", "Delta", .qualified),
            try log("old", "Epsilon", .retired), try log("new", "Zeta", .pending), try log("bad", "Eta", .rejected),
            try TestLog("rsa", operator: "Theta", .rsa2048),
        ]
        unlisted = try log("unknown", "Alpha")
        logs = try TestLog.logs(listed)
        let rootOptions = world.options(world.keys[0])
        root = try world.factory.authority("Root", rootOptions)
        let issuerOptions = world.options(world.keys[1])
        issuer = try world.factory.intermediate("Issuing", signedBy: root, issuerOptions)
    }

    func make(_ number: Int, _ world: inout CaseWorld) throws -> DifferentialCase {
        var changes: Set<Change> = []
        for _ in 0..<world.pick([0, 1, 1, 1, 2]) { changes.insert(world.pick(Change.allCases)) }
        var options = world.options(world.keys[6])
        if changes.contains(.lifetime) {
            let days = world.pick([177, 178, 179, 180, 300])
            options.notAfter = world.now.advanced(bySeconds: Int64(days) * 86_400 + Int64(world.number(-1...1)))
        }
        if changes.contains(.extensions) {
            options.extraExtensions = [ExtraExtension("1.3.6.1.4.1.99999.7"), .mustStaple]
        }
        let bare = try world.factory.leaf([CaseWorld.host], signedBy: issuer, options)
        var (items, times) = try timestamps(over: bare, changes, &world)
        if changes.contains(.otherCertificate) { options.serial = world.serial() }
        if changes.contains(.tampered), !items.isEmpty { world.corrupt(&items[world.number(0...items.count - 1)]) }
        if changes.contains(.version), !items.isEmpty { items[0][0] = 1 }
        if changes.contains(.truncated), !items.isEmpty { items[0].removeLast() }
        // The hash and the signature algorithm follow the identifier, the time and the length of the extensions.
        if changes.contains(.wrongAlgorithm), !items.isEmpty {
            items[0][43 + world.number(0...1)] = UInt8(world.number(0...6))
        }
        let place = changes.contains(.position) ? 0 : options.extraExtensions.count
        if !items.isEmpty || world.chance(50) { options.extraExtensions.insert(TestLog.embedded(items), at: place) }
        let leaf = try world.factory.leaf([CaseWorld.host], signedBy: issuer, options)
        var made = DifferentialCase(
            .timestamps, number: number, changes: changes.map(\.rawValue).sorted(), anchors: [root.certificateDER],
            chain: [leaf.certificateDER, issuer.certificateDER], host: CaseWorld.host, time: world.now)
        let base = UInt64(max(0, world.now.secondsSince1970)) * 1_000
        if times.contains(where: { (base + 1..<base + 1_000).contains($0) }) { made.changes.append("withinSecond") }
        made.transparencyLogs = logs
        made.logs = listed.map {
            .init(
                id: Data($0.id.bytes), key: Data($0.key.publicKeyInfo), operatorName: $0.operatorName,
                state: $0.state.rawValue, since: $0.since.secondsSince1970)
        }
        if let start = leaf.view.notBefore, let end = leaf.view.notAfter {
            made.lifetime = end.secondsSince1970 - start.secondsSince1970
        }
        return made
    }

    private func timestamps(
        over bare: Identity, _ changes: Set<Change>, _ world: inout CaseWorld
    ) throws -> (items: [[UInt8]], times: [UInt64]) {
        var chosen = Array(listed.prefix(6).shuffled(using: &world.random).prefix(world.number(1...4)))
        if changes.contains(.rsa), let log = listed.last { chosen.append(log) }
        if changes.contains(.retired) { chosen.append(listed[world.number(6...8)]) }
        if changes.contains(.unlistedLog) { chosen[0] = unlisted }
        if changes.contains(.repeated) { chosen.append(chosen[0]) }
        let hash =
            changes.contains(.issuerKeyHash)
            ? SPKIDigest(hashing: world.keys[7].publicKeyInfo).bytes : issuer.key.spkiDigest.bytes
        let base = UInt64(max(0, world.now.secondsSince1970)) * 1_000
        var times: [UInt64] = []
        let items = try chosen.enumerated().map { index, log in
            var milliseconds = base - 3_600_000
            // A retired log has signed some timestamps before its retirement and some after it.
            if changes.contains(.retired), log.state == .retired {
                milliseconds =
                    base - 864_000_000 + UInt64(world.pick([0, 1, 2_000])) - UInt64(world.pick([0, 1, 1_000]))
            }
            if changes.contains(.time), index == 0 {
                milliseconds = world.pick([base - 1, base, base + 1, base + 999, base + 1_000, base + 86_400_000])
            }
            times.append(milliseconds)
            let extensions: [UInt8] = changes.contains(.extensions) ? [0, 1, 2] : []
            var item = try log.timestamp(
                over: bare.tbs, issuerKeyHash: hash, milliseconds: milliseconds, extensions: extensions)
            if changes.contains(.otherKey), index == 0 {
                // Another key signs under the identifier of this log.
                item = try unlisted.timestamp(
                    over: bare.tbs, issuerKeyHash: hash, milliseconds: milliseconds, extensions: extensions)
                item.replaceSubrange(1..<33, with: log.id.bytes)
            }
            return item
        }
        return (items, times)
    }
}
