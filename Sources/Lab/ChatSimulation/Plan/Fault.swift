/// Something that goes wrong. Times are milliseconds.
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
        /// The call never comes back until its time is over.
        case timedOut
        /// The answer is none of the protocol's.
        case malformed
    }

    /// The next frames of a socket do not arrive.
    case loss(client: Int, Direction, frames: Int)
    /// The next frames arrive twice.
    case duplication(client: Int, Direction, frames: Int)
    /// The next frames arrive after those behind them.
    case reordering(client: Int, Direction, frames: Int)
    /// The next frames take so much longer, and those behind them wait.
    case delay(client: Int, Direction, frames: Int, by: Int64)
    /// The connection ends. What the client wrote still arrives, or it does not; nothing comes back.
    case cut(client: Int, delivers: Bool)
    /// The connection ends when the server has taken the next message and before its receipt is back.
    case cutBeforeReply(client: Int)
    /// Nothing moves in either direction, and nobody is told.
    case silence(client: Int, for: Int64)
    /// There is no network at all.
    case noRoute(client: Int, for: Int64)
    /// The device goes from one network to another; the socket does not survive it.
    case pathChange(client: Int)
    /// The next REST calls fail.
    case failedCalls(client: Int, CallFailure, count: Int)
    /// The next uploads fail.
    case failedUploads(client: Int, count: Int)
    /// The next uploads hang until they time out.
    case hangingUploads(client: Int, count: Int)
    /// The process of the app dies after so many more effects. Of what it asked for last, so much was not carried out.
    case clientCrash(client: Int, afterEffects: Int, unperformed: Int, down: Int64)
    /// The server's process dies after so many more effects.
    case serverCrash(afterEffects: Int, down: Int64)
    /// The next commits of a client fail.
    case clientDiskFull(client: Int, commits: Int)
    /// The next commits of the server fail.
    case serverDiskFull(commits: Int)
    /// The token of a user is accepted no more; there is a new one, which the app can get at once or later.
    case tokenExpiry(user: Int, providerAnswers: Bool)
    /// The server shows another key. Clients that do not have it in their pins get it after this time.
    case keyRotation(isInPins: Bool, for: Int64)
    /// The server refuses read marks for a while.
    case refusedMarks(client: Int, for: Int64)
    /// The server refuses the next device that registers on a socket, or introduces itself.
    case refusedHandshake(client: Int)
    /// The device's clock jumps.
    case clockJump(client: Int, by: Int64)

    /// What kind of fault it is, for the figures.
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
