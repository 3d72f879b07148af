/// A fault. Times are in milliseconds.
package enum Fault: Hashable, Sendable {
    package enum Direction: String, Hashable, Sendable {
        case up
        case down
    }

    package enum CallFailure: String, Hashable, Sendable, CaseIterable {
        /// 500
        case failed
        /// 503 with `Retry-After`.
        case busy
        /// The call gets no answer before its timeout.
        case timedOut
        /// The answer does not follow the protocol.
        case malformed
    }

    /// The next frames of a socket do not arrive.
    case loss(client: Int, Direction, frames: Int)
    /// The next frames arrive twice.
    case duplication(client: Int, Direction, frames: Int)
    /// The next frames arrive after later ones.
    case reordering(client: Int, Direction, frames: Int)
    /// The next frames are delayed, and later frames wait for them.
    case delay(client: Int, Direction, frames: Int, by: Int64)
    /// The connection breaks. The client's frames arrive or are lost; no frame of the server arrives.
    case cut(client: Int, delivers: Bool)
    /// The connection breaks after the server accepted the next message and before the receipt arrives.
    case cutBeforeReply(client: Int)
    /// Nothing arrives in either direction, and no end is notified.
    case silence(client: Int, for: Int64)
    /// The device has no network.
    case noRoute(client: Int, for: Int64)
    /// The device changes its network, and its socket breaks.
    case pathChange(client: Int)
    /// The next REST calls fail.
    case failedCalls(client: Int, CallFailure, count: Int)
    /// The next uploads fail.
    case failedUploads(client: Int, count: Int)
    /// The next uploads hang until they time out.
    case hangingUploads(client: Int, count: Int)
    /// The app's process ends after a number of effects. The last effects of its turn are not carried out.
    case clientCrash(client: Int, afterEffects: Int, unperformed: Int, down: Int64)
    /// The server's process ends after a number of effects.
    case serverCrash(afterEffects: Int, down: Int64)
    /// The next commits of a client fail.
    case clientDiskFull(client: Int, commits: Int)
    /// The next commits of the server fail.
    case serverDiskFull(commits: Int)
    /// A user's token expires. The app gets a new token at once or later.
    case tokenExpiry(user: Int, providerAnswers: Bool)
    /// The server presents another key. Clients without a pin for it get the pin after this time.
    case keyRotation(isInPins: Bool, for: Int64)
    /// The server refuses read marks for a while.
    case refusedMarks(client: Int, for: Int64)
    /// The server refuses the next registration or CLIENT_INFO of a device.
    case refusedHandshake(client: Int)
    /// The device's clock jumps.
    case clockJump(client: Int, by: Int64)

    /// The kind of the fault, for the statistics.
    package var kind: Kind {
        switch self {
        case .loss: .loss
        case .duplication: .duplication
        case .reordering: .reordering
        case .delay: .delay
        case .cut: .cut
        case .cutBeforeReply: .cutBeforeReply
        case .silence: .silence
        case .noRoute: .noRoute
        case .pathChange: .pathChange
        case .failedCalls: .failedCalls
        case .failedUploads: .failedUploads
        case .hangingUploads: .hangingUploads
        case .clientCrash: .clientCrash
        case .serverCrash: .serverCrash
        case .clientDiskFull: .clientDiskFull
        case .serverDiskFull: .serverDiskFull
        case .tokenExpiry: .tokenExpiry
        case .keyRotation: .keyRotation
        case .clockJump: .clockJump
        case .refusedMarks: .refusedMarks
        case .refusedHandshake: .refusedHandshake
        }
    }

    /// The kinds of faults.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case loss, duplication, reordering, delay, cut, cutBeforeReply, silence, noRoute, pathChange, failedCalls
        case failedUploads, hangingUploads, clientCrash, serverCrash, clientDiskFull, serverDiskFull, tokenExpiry,
            keyRotation
        case clockJump, refusedMarks, refusedHandshake
    }
}
