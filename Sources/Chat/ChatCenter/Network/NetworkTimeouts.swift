import HoldfastTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The configured timeouts, clamped.
struct NetworkTimeouts: Hashable, Sendable {
    let rest: Duration
    let download: Duration
    var downloadProgress: MinimumProgress
    let uploadIdle: Duration
    let uploadTotal: Duration
    let socket: Duration
    let send: Duration
    /// Log lines about the clamped values.
    let notes: [ChatLogLine]

    init(_ config: ChatNetworkConfig) {
        var notes: [ChatLogLine] = []
        func clamp(_ name: String, _ seconds: Double, _ documented: Duration) -> Duration {
            let timeout = ClampedTimeout(seconds: seconds, documented: documented)
            if timeout.wasClamped {
                notes.append(
                    ChatLogLine([.error], "\(name) is \(seconds) s. The SDK uses \(timeout.duration) instead."))
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

    /// The longest timeout for connecting. Each request and each socket has its own, shorter timeout.
    var longestDial: Duration { max(rest, download, uploadIdle, socket) }
}

/// Converts a number of seconds from an app or a server to a `Duration`. All such numbers are converted here.
///
/// `Duration.seconds(.infinity)` and `.seconds(.nan)` trap, and a deadline centuries ahead overflows nanoseconds.
struct ClampedTimeout: Hashable, Sendable {
    /// The shortest timeout, also used for zero and negative numbers.
    static let shortest = Duration.milliseconds(1)
    /// The longest timeout: 365 days. A longer one counts as this one.
    static let longest = Duration.seconds(365 * 86_400)

    /// The timeout to use.
    let duration: Duration
    /// Whether the timeout differs from the given one.
    let wasClamped: Bool

    /// Converts seconds. For a value that is not a number, uses `documented`, the documented default.
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
