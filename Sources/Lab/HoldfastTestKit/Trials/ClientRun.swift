import HoldfastBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One run of a client under test, and what its server saw.
struct ClientRun: Sendable {
    /// How the client's closure ended.
    enum Ending: Hashable, Sendable {
        case returned
        /// The closure threw this error, as one line of text that is safe to print.
        case failed(String)
        case timedOut
    }

    let ending: Ending
    let connections: [LoopbackConnection]

    /// The bytes of requests that the server received, inside TLS and without it.
    var receivedBytes: Int { connections.reduce(0) { $0 + $1.applicationBytes + $1.cleartextBytes } }

    /// Runs a closure. After the time limit, it is cancelled and `interrupt` is called, which must end its connections.
    static func ending<R>(
        of client: @escaping @Sendable (URL) async throws -> R, _ url: URL, limit: Duration,
        interrupt: @escaping @Sendable () async -> Void
    ) async -> Ending {
        await withTaskGroup(of: Ending?.self) { group in
            group.addTask {
                do {
                    _ = try await client(url)
                    return .returned
                } catch {
                    return .failed(line(of: error))
                }
            }
            group.addTask {
                try? await Task.sleep(for: limit)  // reason: the time limit of a client that hangs
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            guard let first else {
                await interrupt()
                return .timedOut
            }
            return first
        }
    }

    /// Returns an error's text with spaces instead of line breaks, because a report has one line for each attack.
    private static func line(of error: any Error) -> String {
        let lines = String(describing: error).split(whereSeparator: \.isNewline)
        return Printable.text(lines.map { $0.drop(while: \.isWhitespace) }.joined(separator: " "))
    }
}
