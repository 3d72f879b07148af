#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
import HTTPTypes
public import HoldfastTransport

/// Transfers that FoundationNetworking's tasks cannot make over another client. Delegates are asked about servers and redirects
/// as they are for tasks, and shown a task that never runs; they are not told of the transfer's progress and end.
extension URLSession {
    /// Uploads bytes over a pinned session, in the place of `upload(for:from:)`.
    ///
    /// - Parameters:
    ///   - request: Its own body is not looked at.
    ///   - body: The body.
    ///   - onProgress: Told how much has gone. Called on an event loop: it must return quickly and not block.
    /// - Returns: The response, with a body up to ``PinnedSessionOptions/maximumResponseBytes``.
    /// - Throws: `URLError` as the session's tasks do; `UnsupportedTaskError` inside it where the session is not pinned, or was
    ///   invalidated.
    public func holdfastUpload(
        for request: URLRequest, from body: Data, onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> (Data, HTTPURLResponse) {
        try await collect(request, body: .bytes(Array(body)), onProgress)
    }

    /// Uploads a file over a pinned session, in the place of `upload(for:fromFile:)`. It is read as it is sent.
    /// See ``holdfastUpload(for:from:onProgress:)``.
    public func holdfastUpload(
        for request: URLRequest, fromFile file: URL, onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> (Data, HTTPURLResponse) {
        try await collect(request, body: .file(path: file.path), onProgress)
    }

    /// Downloads a file over a pinned session, in the place of `download(for:)`.
    ///
    /// The rules are those of ``HTTPClient/download(_:to:options:)``. The file is there as a whole or not at all, and what was there
    /// before stays unless the download succeeds. A part that was interrupted stays beside the destination (`.NAME.download`), and
    /// the next call for the same URL and place requests the rest. Any status but `200`, and the `206` that was asked for, fails.
    ///
    /// - Parameters:
    ///   - request: A `GET` without a body. The fields `Range`, `If-*` and `Accept-Encoding` are the download's own to set.
    ///   - destination: Where the file is to be. It replaces one that is there.
    ///   - limit: The most bytes to take; more fails with `tooLarge`.
    ///   - onProgress: See ``holdfastUpload(for:from:onProgress:)``.
    /// - Returns: The last response: a `206` where bytes of an earlier call were kept.
    /// - Throws: `URLError` as the session's tasks do. Inside it is ``NetworkError`` for a status that is not a success, and
    ///   `TransferError` where the response or the file cannot be used.
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

    /// What `data(for:)` does, in the task of the caller: it knows which field carries the caller's token.
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
            // It ends when the session is invalidated, and here.
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
