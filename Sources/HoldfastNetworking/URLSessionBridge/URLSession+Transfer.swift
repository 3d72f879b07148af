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
        try await upload(request, .bytes(Array(body)), onProgress)
    }

    /// Uploads a file over a pinned session, in the place of `upload(for:fromFile:)`. It is read as it is sent.
    /// See ``holdfastUpload(for:from:onProgress:)``.
    public func holdfastUpload(
        for request: URLRequest, fromFile file: URL, onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> (Data, HTTPURLResponse) {
        try await upload(request, .file(path: file.path), onProgress)
    }

    /// Downloads a file over a pinned session, in the place of `download(for:)`.
    ///
    /// The file is there as a whole or not at all: it is written beside its destination, flushed and renamed. What was there
    /// before stays unless the download succeeds.
    ///
    /// - Parameters:
    ///   - request: What to download.
    ///   - destination: Where the file is to be. It replaces one that is there.
    ///   - limit: The most bytes to take; more fails with `responseTooLarge`.
    ///   - onProgress: See ``holdfastUpload(for:from:onProgress:)``.
    /// - Throws: `URLError` as the session's tasks do. ``NetworkError`` inside it where the status is none of success, and
    ///   ``DownloadFileError`` where the file cannot be written.
    public func holdfastDownload(
        for request: URLRequest, to destination: URL, upTo limit: Int64,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> HTTPURLResponse {
        try await transfer(request, body: nil, onProgress) { response, reader in
            let status = response.statusCode
            guard (200..<300).contains(status) else {
                throw HTTPStatusError(statusCode: status).map { NetworkError.httpStatusError($0) }
                    ?? NetworkError.invalidStatusCode(status)
            }
            let file = try DownloadFile(destination: destination)
            var rest = limit
            while let part = try await reader.next() {
                rest -= Int64(part.count)
                guard rest >= 0 else {
                    throw TransportError(.responseTooLarge, in: .receiving, "The file is larger than \(limit) bytes.")
                }
                try await file.write(part)
            }
            try await file.finish()
            return response
        }
    }

    /// What `data(for:)` does, in the task of the caller: it knows which field carries the caller's token.
    func holdfastData(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try await transfer(request, body: nil, nil) { response, reader in
            (try await reader.collect(upTo: self.maximumResponseBytes), response)
        }
    }

    private var maximumResponseBytes: Int { (self as? PinnedURLSession)?.bridge.maximumResponseBytes ?? 0 }

    private func upload(
        _ request: URLRequest, _ body: HTTPBody, _ onProgress: (@Sendable (TransferProgress) -> Void)?
    ) async throws -> (Data, HTTPURLResponse) {
        try await transfer(request, body: body, onProgress) { response, reader in
            (try await reader.collect(upTo: self.maximumResponseBytes), response)
        }
    }

    private func transfer<R: Sendable>(
        _ request: URLRequest, body: HTTPBody?, _ onProgress: (@Sendable (TransferProgress) -> Void)?,
        _ handle: @escaping @Sendable (HTTPURLResponse, inout HTTPBodyReader) async throws -> R
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
                group.addTask { try await pinned.run(onProgress: onProgress, handle) }
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
