import ChatCenterCore
import ChatWire
import Foundation
import HTTPTypes
import HoldfastTransport

/// Sends files to the file store, and fetches them.
struct FileTransfers: Sendable {
    /// The most bytes that a download may have: above what file stores of chats take (10 to 100 MB), below what fills a
    /// telephone.
    static let downloadLimit: Int64 = 1 << 30
    /// The most bytes of the answer to an upload.
    static let answerLimit = 64 * 1024

    let client: HTTPClient
    /// For servers that are none of the chat's own.
    let foreignClient: HTTPClient
    let addresses: ServerAddresses
    let timeouts: NetworkTimeouts
    let reporter: NetworkReporter
    let resumption = ResumptionSupport()

    /// Runs a transfer, and makes of its error what the core is told.
    func settle(
        _ body: (FileTransfers) async throws -> RemoteFile
    ) async -> Result<RemoteFile, TransportFailure> {
        do {
            return .success(try await body(self))
        } catch {
            return .failure(reporter.failure(error, "A file transfer"))
        }
    }

    /// Uploads a file: a large one in parts, so that a lost connection costs little, if the server takes them; else in one
    /// piece.
    ///
    /// - Parameter keys: What the SDK's copy is sealed with. The parts of a file are read from the disk as it lies there, so
    ///   that a sealed one goes in one piece.
    func upload(_ id: TransferID, _ plan: UploadPlan, keys: StoreKeys?) async throws -> RemoteFile {
        let end = ContinuousClock.now.advanced(by: .milliseconds(plan.timeoutMilliseconds))
        if keys == nil, let file = try await uploadInParts(id, plan, until: end) { return file }
        return try await uploadAtOnce(id, plan, keys: keys, until: end)
    }

    /// Returns the remaining time of an upload. All requests of the upload share it.
    static func rest(until end: ContinuousClock.Instant) -> Duration {
        max(.milliseconds(1), ContinuousClock.now.duration(to: end))
    }

    private func uploadAtOnce(
        _ id: TransferID, _ plan: UploadPlan, keys: StoreKeys?, until end: ContinuousClock.Instant
    ) async throws -> RemoteFile {
        let file = plan.file
        let url = URL(fileURLWithPath: file.path)
        let size: Int64
        do {
            size = try SealedFileReader(url, keys: keys).length
        } catch let error as ChatStorageError {
            throw error
        } catch {
            throw FileTransferError(.unreadable, "The copy of the file cannot be read any more.")
        }
        // The identifier is unique, and nobody who makes a file knows it before.
        let boundary = "holdfast-" + id.text.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(48)
        let form = MultipartForm(file: file.name, type: file.type, boundary: boundary)
        var request = addresses.upload(plan)
        request.headerFields[.contentType] = form.contentType
        let progress = ProgressFilter(total: size) { reporter.sink(.progress(id, $0, of: size)) }
        let head = Int64(form.head.count)
        let options = RequestOptions(
            idleTimeout: timeouts.uploadIdle, totalTimeout: Self.rest(until: end), waitsForConnectivity: true,
            onProgress: { progress.report(min(max(0, $0.sent - head), size)) })
        let body = HTTPBody.stream(length: head + size + Int64(form.tail.count)) { writer in
            try await writer.write(form.head)
            let reader = try SealedFileReader(url, keys: keys)
            while let piece = try reader.next() { try await writer.write(piece) }
            try await writer.write(form.tail)
        }
        reporter.log.write(.rest, NetworkLog.request(request, reporter.log))
        let answer = try await client.collect(request, body: body, upTo: Self.answerLimit, options: options)
        reporter.log.write(.rest, NetworkLog.response(answer.response, answer.body, request, reporter.log))
        guard (200..<300).contains(answer.response.status.code) else { throw error(answer.response, answer.body) }
        return try Self.file(answer.body, file, size: size)
    }

    /// What the server says of a file that it has taken.
    static func file(_ answer: [UInt8], _ file: LocalFile, size: Int64) throws -> RemoteFile {
        let result = try UploadAnswer(parsing: answer)
        return RemoteFile(
            reference: result.result, name: result.name ?? file.name, size: result.size ?? size,
            type: result.type ?? file.type)
    }

    func error(_ response: HTTPResponse, _ body: [UInt8]) -> ChatServerError {
        ChatServerError(
            status: response.status.code, refusal: ServerRefusal(body: body),
            retryAfterMilliseconds: RetryAfter.milliseconds(response.headerFields[.retryAfter], now: reporter.now()))
    }
}
