#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
import HTTPTypes
public import HoldfastTransport

/// Transfers that FoundationNetworking's tasks cannot make over another client. Delegates are asked about servers and
/// redirects as for tasks and receive a placeholder task. They are not notified of the transfer's progress and end.
extension URLSession {
    /// Uploads data over a pinned session. Replaces `upload(for:from:)`.
    ///
    /// - Parameters:
    ///   - request: The request. Its own body is ignored.
    ///   - body: The body to upload.
    ///   - onProgress: Called with the progress on an event loop. It must return quickly and not block.
    /// - Returns: The response, with a body of up to ``PinnedSessionOptions/maximumResponseBytes``.
    /// - Throws: `URLError` like the session's tasks. It contains `UnsupportedTaskError` if the session is not pinned
    ///   or was invalidated.
    public func holdfastUpload(
        for request: URLRequest, from body: Data, onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> (Data, HTTPURLResponse) {
        try await collect(request, body: .bytes(Array(body)), onProgress)
    }

    /// Uploads a file over a pinned session. Replaces `upload(for:fromFile:)`. The file is read while it is sent. See
    /// ``holdfastUpload(for:from:onProgress:)``.
    public func holdfastUpload(
        for request: URLRequest, fromFile file: URL, onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> (Data, HTTPURLResponse) {
        try await collect(request, body: .file(path: file.path), onProgress)
    }

    /// Downloads a file over a pinned session. Replaces `download(for:)`.
    ///
    /// The rules are those of `HTTPClient.download(_:to:options:)`. The destination is replaced only by a complete
    /// file; otherwise the previous file stays. An interrupted part stays next to the destination (`.NAME.download`).
    /// The next call for the same URL and destination requests the rest. Any status other than `200`, or a requested
    /// `206`, fails.
    ///
    /// - Parameters:
    ///   - request: A `GET` request without a body. It must not contain the fields `Range`, `If-*` and
    ///     `Accept-Encoding`, which the download sets.
    ///   - destination: The location of the file. A file that exists at the start is replaced; a file that another
    ///     program creates during the download is not.
    ///   - limit: The maximum size in bytes; a larger file fails with `tooLarge`.
    ///   - onProgress: See ``holdfastUpload(for:from:onProgress:)``.
    /// - Returns: The last response. It is a `206` if bytes of an earlier call were kept.
    /// - Throws: `URLError` like the session's tasks. It contains ``NetworkError`` for a status that does not indicate
    ///   success, and `TransferError` if the response or the file cannot be used.
    public func holdfastDownload(
        for request: URLRequest, to destination: URL, upTo limit: Int64,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> HTTPURLResponse {
        try await transfer(request, body: nil) { pinned in
            do {
                return try await pinned.download(to: destination.path, upTo: limit, onProgress: onProgress)
            } catch let error as TransferError where error.code == .unexpectedStatus {
                guard let status = error.response?.status.code else { throw error }
                throw HTTPStatusError(statusCode: status).map { NetworkError.httpStatusError($0) }
                    ?? NetworkError.invalidStatusCode(status)
            }
        }
    }

    /// Sends a request like `data(for:)`, but in the caller's task, which knows the field of the caller's token.
    func holdfastData(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try await collect(request, body: nil, nil)
    }

    private func collect(
        _ request: URLRequest, body: HTTPBody?, _ onProgress: (@Sendable (TransferProgress) -> Void)?
    ) async throws -> (Data, HTTPURLResponse) {
        try await transfer(request, body: body) { pinned in
            try await pinned.run(onProgress: onProgress) { response, reader in
                (try await reader.collect(upTo: pinned.bridge.maximumResponseBytes), response)
            }
        }
    }

    private func transfer<R: Sendable>(
        _ request: URLRequest, body: HTTPBody?, _ work: @escaping @Sendable (PinnedRequest) async throws -> R
    ) async throws -> R {
        do {
            guard let session = self as? PinnedURLSession else { throw UnsupportedTaskError(.unknownSession) }
            var request = request
            if body != nil { (request.httpBody, request.httpBodyStream) = (nil, nil) }
            let (ended, end) = AsyncStream.makeStream(of: Never.self)
            // The stream ends when the session is invalidated, or at the end of this method.
            let task = try session.placeholder(for: request) { end.finish() }
            defer { task.cancel() }
            let asker = ChallengeAsker(
                session: session, task: task, delegate: await session.currentDelegate, ownDelegate: nil)
            let pinned = PinnedRequest(bridge: session.bridge, asker: asker, request: request, body: body)
            return try await withThrowingTaskGroup(of: R?.self) { group in
                group.addTask { try await work(pinned) }
                group.addTask {
                    for await _ in ended {}
                    return nil
                }
                defer { group.cancelAll() }
                guard let result = try await group.next() ?? nil else { throw CancellationError() }
                return result
            }
        } catch {
            throw URLError(bridging: error, url: request.url)
        }
    }
}
#endif
