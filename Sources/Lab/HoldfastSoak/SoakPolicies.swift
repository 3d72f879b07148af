import HoldfastTestSupport
import HoldfastTrust
import Synchronization

/// The policies under which a soak over TLS runs: one after the other, and for a while one that refuses the servers.
final class SoakPolicies: Sendable {
    /// One policy after the other; in the third part the servers are refused.
    private static let parts = 4
    private static let refusing = 2

    let holder: PolicyHolder
    private let policies: [PinningPolicy]
    private let part = Mutex(0)

    init(host: String, leaf: Identity, intermediate: Identity, other: Identity) throws {
        policies = try [leaf, intermediate, other, leaf].enumerated().map { number, identity in
            try PinningPolicy(
                name: "part \(number)",
                rules: [PinningRule(HostPattern(host), pins: PinSet([Pin(identity.spkiDigest)]))], backupPins: .off)
        }
        holder = PolicyHolder(policies[0])
    }

    /// Which policy is in force.
    var current: Int { part.withLock(\.self) }

    /// Request `number` of `count` is about to be sent: exchanges the policy where its part begins. The part that
    /// refuses is short.
    func proceed(to number: Int, of count: Int) {
        let starts = [0, count / 3, count / 2, count / 2 + count / 40]
        part.withLock { part in
            guard part + 1 < Self.parts, number >= starts[part + 1] else { return }
            part += 1
            holder.replace(with: policies[part])
        }
    }

    /// Whether a refusal is right for a request that began and ended under these policies, and whether a success is. A dial
    /// that was judged right before a change fails those who wait for it right behind the change, too.
    static func allows(from start: Int, to end: Int) -> (refusal: Bool, success: Bool) {
        ((max(0, start - 1)...max(start, end)).contains(refusing), !(start == refusing && end == refusing))
    }
}
