import ChatCenterCore
import ChatWire
import Foundation
import HTTPTypes
import HoldfastBase
import HoldfastTransport
import Synchronization

/// Uploads files to the file store, and downloads files.
struct FileTransfers: Sendable {
    /// The maximum size of a download: more than chat file stores accept (10 to 100 MB), and less than would fill a
    /// phone's storage.
    ///
    /// - Error: `FileTransferError.Code.tooLarge`
    static let downloadLimit: Int64 = 1 << 30
    /// The maximum size of the response to an upload, in bytes.
    ///
    /// - Error: `TransportError.Code.responseTooLarge`
    static let answerLimit = 64 * 1024

    let client: HTTPClient
    /// The client for third-party hosts.
    let foreignClient: HTTPClient
    let addresses: ServerAddresses
    let timeouts: NetworkTimeouts
    let reporter: NetworkReporter
    let resumption = ResumptionSupport()

    /// Runs a transfer, and converts its error for the core.
    func settle(
        _ body: (FileTransfers) async throws -> RemoteFile
    ) async -> Result<RemoteFile, TransportFailure> {
        do {
            return .success(try await body(self))
        } catch {
            return .failure(reporter.failure(error, "A file transfer"))
        }
    }

    /// Uploads a file: in parts if it is large and the server supports it, so that a lost connection costs little;
    /// otherwise in one request.
    ///
    /// - Parameter keys: The keys that encrypt the SDK's copy. An encrypted copy is uploaded in one request, because
    ///   parts are read directly from the disk.
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
            size = try await Blocking.run { try SealedFileReader(url, keys: keys).length }
        } catch let error as ChatStorageError {
            throw error
        } catch {
            throw FileTransferError(.unreadable, "The copy of the file can no longer be read.")
        }
        // The identifier is unique and cannot be predicted by the author of a file.
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
            var reader = try await Blocking.run { try SealedFileReader(url, keys: keys) }
            while let piece = try await reader.nextWithoutBlocking() { try await writer.write(piece) }
            try await writer.write(form.tail)
        }
        reporter.log.write(.rest, NetworkLog.request(request, reporter.log))
        let answer = try await client.collect(request, body: body, upTo: Self.answerLimit, options: options)
        reporter.log.write(.rest, NetworkLog.response(answer.response, answer.body, request, reporter.log))
        guard (200..<300).contains(answer.response.status.code) else { throw error(answer.response, answer.body) }
        return try Self.file(answer.body, file, size: size)
    }

    /// Parses the server's response to a completed upload.
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

/// Passes a progress report on if it is new: at least 1 % of the total and 64 KiB more, or the end.
final class ProgressFilter: Sendable {
    private let total: Int64?
    private let step: Int64
    private let last = Mutex<Int64>(0)
    private let deliver: @Sendable (Int64) -> Void

    init(total: Int64?, report: @escaping @Sendable (Int64) -> Void) {
        self.total = total
        self.step = max(64 * 1024, (total ?? 0) / 100)
        deliver = report
    }

    /// Reports the number of transferred bytes.
    func report(_ count: Int64) {
        let isNews = last.withLock { last in
            guard count > last, count - last >= step || count == total else { return false }
            last = count
            return true
        }
        if isNews { deliver(count) }
    }
}

/// Remembers, until the process ends, that the file store does not support resumable uploads.
final class ResumptionSupport: Sendable {
    private let isRefused = Mutex(false)

    /// Whether the file store may support resumable uploads.
    var isPossible: Bool { !isRefused.withLock { $0 } }

    /// Notes that the file store does not support resumable uploads.
    func refuse() { isRefused.withLock { $0 = true } }
}

/// A `multipart/form-data` body (RFC 7578) with one file: the parts before and after the file's bytes.
struct MultipartForm: Hashable, Sendable {
    let contentType: String
    let head: [UInt8]
    let tail: [UInt8]

    /// - Parameters:
    ///   - boundary: At most 70 letters and digits that do not occur in the file. A random boundary of 128 bits cannot.
    init(file name: String, type: String, boundary: String) {
        contentType = "multipart/form-data; boundary=\(boundary)"
        head = Array(
            ("--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(Self.escaped(name))\"\r\n"
                + "Content-Type: \(Self.mediaType(type))\r\n\r\n").utf8)
        tail = Array("\r\n--\(boundary)--\r\n".utf8)
    }

    /// Percent-encodes quotation marks and line breaks, as browsers do (WHATWG HTML, 4.10.21.8), so that a name cannot
    /// end its header.
    private static func escaped(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": text += "%22"
            case "\r": text += "%0D"
            case "\n": text += "%0A"
            case let scalar where scalar.value < 0x20 || scalar.value == 0x7F: text += "_"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Returns a media type that is valid in a header; `application/octet-stream` for any other.
    static func mediaType(_ type: String) -> String {
        let isPlain =
            !type.isEmpty && type.unicodeScalars.allSatisfy { $0.isASCII && $0.value > 0x20 && $0.value < 0x7F }
        return isPlain ? type : "application/octet-stream"
    }
}

/// The error of a file that could not be read, written or transferred.
///
/// - Remedy: Check the local file, or offer the user another attempt.
public struct FileTransferError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and safe as a metric label. More kinds may be added: compare with the constants,
    /// and handle unknown values.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// The local file cannot be read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The local copy cannot be written.
        public static let unwritable = Code(rawValue: "unwritable")
        /// The server sends more than a download may contain, or does not accept a file of this size.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The file's address cannot be used.
        public static let invalidAddress = Code(rawValue: "invalidAddress")
        /// The server has the whole file, but its response with the file's name was lost.
        public static let answerLost = Code(rawValue: "answerLost")
    }

    /// The kind of failure.
    public var code: Code
    /// The reason as one sentence that can be shown to a person.
    public var reason: String

    /// Creates an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// A textual description, for logs.
    public var description: String { reason }
}

/// The progress of a file transfer.
public struct ChatTransferProgress: Hashable, Sendable {
    /// The number of bytes transferred so far.
    public var completed: Int64
    /// The total number of bytes, if known.
    public var total: Int64?

    /// The progress from 0 to 1; `nil` if the total is not known.
    public var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, Double(completed) / Double(total))
    }
}
