import ArgumentParser
import BenchSupport

/// The HTTP version of a page.
enum HTTPVersion: String, Sendable, CaseIterable {
    case http1 = "HTTP/1.1"
    case http2 = "HTTP/2"
}

/// A client in the comparison. Every call is a cold start: it creates the client and its connections.
protocol Client: Sendable {
    /// The name in the report.
    var name: String { get }

    /// Requests all paths at once, over at most six connections with HTTP/1.1. Returns the milliseconds until the last
    /// byte.
    func page(_ page: Page, _ version: HTTPVersion, at address: Address) async throws -> Double

    /// Returns the milliseconds from creating the client until the response to a small request begins.
    func firstByte(at address: Address) async throws -> Double

    /// Uploads a file that is cut once, until it succeeds.
    func upload(_ file: UploadedFile, at address: Address, through relay: Relay) async throws -> Upload
}

/// The result of an upload.
struct Upload: Sendable {
    /// The time from creating the client until the response.
    var milliseconds: Double
    /// The hash that the server calculated.
    var hash: String
}

/// An error for a response that differs from what the server sent.
struct WrongResponse: Error, CustomStringConvertible {
    var client: String
    var what: String

    var description: String { "\(client): \(what)" }
}

/// The maximum number of connections for HTTP/1.1, as in browsers.
let connectionsOfHTTP1 = 6
/// The wait before an upload is repeated. curl waits one second, its shortest time.
let waitBeforeRetry = Duration.milliseconds(500)
