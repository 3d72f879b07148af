import HoldfastTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The configured time-outs, clamped.
struct NetworkTimeouts: Hashable, Sendable {
    let rest: Duration
    let download: Duration
    var downloadProgress: MinimumProgress
    let uploadIdle: Duration
    let uploadTotal: Duration
    let socket: Duration
    let send: Duration
    /// What was clamped, for the log.
    let notes: [ChatLogLine]

    init(_ config: ChatNetworkConfig) {
        var notes: [ChatLogLine] = []
        func clamp(_ name: String, _ seconds: Double, _ documented: Duration) -> Duration {
            let timeout = ClampedTimeout(seconds: seconds, documented: documented)
            if timeout.wasClamped {
                notes.append(ChatLogLine([.error], "\(name) is \(seconds) s, \(timeout.duration) is used instead."))
            }
            return timeout.duration
        }
        let http = config.httpConfig
        rest = clamp("HTTPConfig.connectionTimeout", http.connectionTimeout, .seconds(30))
        download = clamp("HTTPConfig.downloadTimeout", http.downloadTimeout, .seconds(30))
        downloadProgress = MinimumProgress(bytes: Int64(max(0, http.minimumDownloadProgress)))
        uploadIdle = clamp("HTTPConfig.uploadTimeout", http.uploadTimeout, .seconds(120))
        uploadTotal =
            http.uploadTotalTimeout.map { clamp("HTTPConfig.uploadTotalTimeout", $0, .seconds(120)) } ?? uploadIdle
        socket = clamp("WSConfig.connectionTimeout", config.wsConfig.connectionTimeout, .seconds(30))
        send = clamp("WSConfig.sendTimeout", config.wsConfig.sendTimeout, .seconds(20))
        self.notes = notes
    }

    /// The longest that dialling may take for anyone: each request and each socket has its own, shorter time-out.
    var longestDial: Duration { max(rest, download, uploadIdle, socket) }
}

extension Duration {
    /// Whole milliseconds; saturates.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? (seconds < 0 ? .min : .max) : product &+ attoseconds / 1_000_000_000_000_000
    }
}

/// The one way from a number of seconds that an app or a server gave to a `Duration`.
///
/// `Duration.seconds(.infinity)` and `.seconds(.nan)` trap, and a deadline centuries away overflows nanoseconds.
struct ClampedTimeout: Hashable, Sendable {
    /// The shortest time-out: zero and negative numbers mean it.
    static let shortest = Duration.milliseconds(1)
    /// The longest time-out: 365 days.
    static let longest = Duration.seconds(365 * 86_400)

    /// The time-out to use.
    let duration: Duration
    /// Whether it is another one than was asked for.
    let wasClamped: Bool

    /// Converts seconds. What is not a number becomes `documented`, the documented default.
    init(seconds: TimeInterval, documented: Duration) {
        if seconds.isNaN {
            self.duration = documented
            self.wasClamped = true
        } else if seconds >= 365 * 86_400 {
            self.duration = Self.longest
            self.wasClamped = seconds > 365 * 86_400
        } else if seconds < 0.001 {
            self.duration = Self.shortest
            self.wasClamped = true
        } else {
            self.duration = .milliseconds(Int64((seconds * 1000).rounded()))
            self.wasClamped = false
        }
    }
}
