import HTTPTypes

/// The logic that interprets the responses of one download (RFC 9110, 13.1.5, 14 and 15.3.7).
struct DownloadMachine: Sendable {
    /// The action for the body of a response.
    enum Step: Hashable, Sendable {
        /// Discard the existing bytes and write the body from the beginning. The reason is set if bytes were discarded.
        case begin(reason: String?)
        /// Append the body to the existing bytes.
        case append
        /// Ignore the body, discard the existing bytes and request the whole file.
        case startOver(reason: String)
    }

    /// The number of times that the file may change on the server during one call.
    ///
    /// - Error: `TransferError.Code.contentChanged`
    static let maximumRestarts = 3

    private let requested: String
    private let limit: Int64
    /// The number of received bytes.
    private(set) var received: Int64
    /// The record for requesting the remaining bytes; `nil` if the download cannot be resumed.
    private(set) var record: PartRecord?
    /// The total length of the file, if known.
    private(set) var total: Int64?
    /// The digests of the whole file that the server announced.
    private(set) var digests: [Checksum] = []
    /// The digests of the current response's bytes, and the offset of these bytes.
    private(set) var partDigests: (start: Int64, checksums: [Checksum]) = (0, [])
    private var start: Int64 = 0
    private var end: Int64?
    private var restarts = 0

    /// Creates a machine from the state that an earlier call left.
    ///
    /// - Parameters:
    /// - requested: The digest of the request's URL.
    /// - limit: The maximum size of the file, in bytes.
    /// - received: The number of bytes in the part.
    /// - record: The record of the part, if any.
    init(requested: String, limit: Int64, received: Int64 = 0, record: PartRecord? = nil) {
        self.requested = requested
        self.limit = max(0, limit)
        self.received = 0
        guard let record, record.requested == requested, received > 0, received <= record.total ?? .max else { return }
        self.record = record
        total = record.total
        digests = record.checksums
        // The last byte of a complete file is requested again, so that the server confirms that the file is unchanged.
        self.received = received == record.total ? received - 1 : received
        if self.received == 0 { self.record = nil }
    }

    /// The fields that request the missing bytes. A coding would make the ranges refer to other bytes.
    var fields: [HTTPField] {
        var fields = [HTTPField(name: .acceptEncoding, value: "identity")]
        if let record, received > 0 {
            fields.append(HTTPField(name: .range, value: "bytes=\(received)-"))
            fields.append(HTTPField(name: .ifRange, value: record.validator.field))
        }
        return fields
    }

    private var hasAskedForRange: Bool { record != nil && received > 0 }

    /// Processes the head of a response. `answered` is the digest of the URL that sent it.
    mutating func answer(_ response: HTTPResponse, from answered: String) throws(TransferError) -> Step {
        switch response.status.code {
        case 200: return try whole(response, from: answered)
        case 206 where hasAskedForRange: return try rest(response, from: answered)
        case 206:
            throw TransferError(.rangeMismatch, "The server sent a partial response to a request for the whole file.")
        case 416 where hasAskedForRange: return try startOver("the server has no bytes after the received ones")
        default:
            throw TransferError(
                .unexpectedStatus, "The server responded with status \(response.status.code).", response: response)
        }
    }

    private mutating func whole(_ response: HTTPResponse, from answered: String) throws(TransferError) -> Step {
        try Self.refuseCoding(response)
        let length = try Self.length(response)
        try checkLimit(length)
        let announced =
            try DigestField.read(DigestField.representation, of: response.headerFields)
            // The content of a 200 response without a coding is the representation.
            + DigestField.read(DigestField.content, of: response.headerFields)
        var reason: String?
        if hasAskedForRange {
            reason = "the server sent the whole file: the file changed, or ranges are not supported"
            try countRestart()
        }
        received = 0
        total = length
        end = length
        start = 0
        digests = []
        partDigests = (0, [])
        guard add(announced) else {
            throw TransferError(.malformedField, "The server announced two different digests of the same bytes.")
        }
        record = EntityValidator(response).map {
            PartRecord(requested: requested, answered: answered, validator: $0, total: length, digests: digests)
        }
        return .begin(reason: reason)
    }

    private mutating func rest(_ response: HTTPResponse, from answered: String) throws(TransferError) -> Step {
        guard let record else {
            throw TransferError(.rangeMismatch, "The server sent a partial response without a request for a range.")
        }
        try Self.refuseCoding(response)
        if let type = response.headerFields[.contentType], type.lowercased().hasPrefix("multipart/byteranges") {
            throw TransferError(.rangeMismatch, "The server sent several ranges; only one was requested.")
        }
        guard record.answered == answered else {
            return try startOver("the response came from another URL than before")
        }
        guard record.validator.matches(response) else { return try startOver("the file changed on the server") }
        let values = response.headerFields[values: .contentRange]
        guard values.count == 1, let value = values.first else {
            throw TransferError(
                .rangeMismatch, "The 206 response has \(values.count) Content-Range fields instead of one.")
        }
        let range = try ContentRange(parsing: value)
        guard let bytes = range.bytes else {
            throw TransferError(.rangeMismatch, "The 206 response does not state its range.")
        }
        guard bytes.lowerBound == received else {
            throw TransferError(
                .rangeMismatch,
                "The server sent a range from byte \(bytes.lowerBound); the requested range starts at \(received).")
        }
        guard let whole = range.total ?? total else {
            throw TransferError(.rangeMismatch, "The server did not send the total length of the file.")
        }
        guard total == nil || total == whole, bytes.upperBound < whole else {
            throw TransferError(.rangeMismatch, "The server sent a different total length than before.")
        }
        try checkLimit(whole)
        if let length = try Self.length(response), length != bytes.upperBound - bytes.lowerBound + 1 {
            throw TransferError(
                .rangeMismatch, "The Content-Length of the 206 response differs from the length of its range.")
        }
        guard add(try DigestField.read(DigestField.representation, of: response.headerFields)) else {
            return try startOver("the server announced a different digest than before")
        }
        partDigests = (received, try DigestField.read(DigestField.content, of: response.headerFields))
        total = whole
        start = received
        end = bytes.upperBound + 1
        self.record?.total = whole
        return .append
    }

    /// Records bytes before they are written. Throws if they exceed the limit or the announced length.
    mutating func take(_ count: Int) throws(TransferError) {
        let (sum, overflows) = received.addingReportingOverflow(Int64(count))
        try checkLimit(overflows ? .max : sum)
        if let end, sum > end { throw TransferError(.rangeMismatch, "The response body is longer than announced.") }
        received = sum
    }

    /// Processes the end of a body. Returns whether the file is complete.
    mutating func bodyEnded(trailers: HTTPFields?) throws(TransferError) -> Bool {
        if let end, received < end {
            throw TransferError(.rangeMismatch, "The response body is shorter than announced.")
        }
        if let trailers, !add(try DigestField.read(DigestField.representation, of: trailers)) {
            throw TransferError(.malformedField, "The server announced two different digests of the same bytes.")
        }
        total = total ?? received
        guard received > start || received == total else {
            throw TransferError(.rangeMismatch, "The server did not send any missing bytes.")
        }
        return received == total
    }

    private mutating func startOver(_ reason: String) throws(TransferError) -> Step {
        try countRestart()
        received = 0
        record = nil
        total = nil
        digests = []
        return .startOver(reason: reason)
    }

    private mutating func countRestart() throws(TransferError) {
        restarts += 1
        guard restarts <= Self.maximumRestarts else {
            throw TransferError(
                .contentChanged, "The file changed on the server \(restarts) times during the download.")
        }
    }

    /// Records digests of the whole file. Returns false if one contradicts an earlier digest.
    private mutating func add(_ announced: [Checksum]) -> Bool {
        for checksum in announced {
            if let known = digests.first(where: { $0.algorithm == checksum.algorithm }) {
                guard known == checksum else { return false }
            } else {
                digests.append(checksum)
            }
        }
        return true
    }

    private func checkLimit(_ count: Int64?) throws(TransferError) {
        guard let count, count > limit else { return }
        throw TransferError(.tooLarge, "The file is larger than the limit of \(limit) bytes.")
    }

    private static func refuseCoding(_ response: HTTPResponse) throws(TransferError) {
        let codings = response.headerFields[values: .contentEncoding]
        guard codings.allSatisfy({ $0.lowercased() == "identity" }) else {
            throw TransferError(.codedBody, "The server sent a coded body, which the request did not accept.")
        }
    }

    private static func length(_ response: HTTPResponse) throws(TransferError) -> Int64? {
        guard let value = response.headerFields[.contentLength] else { return nil }
        guard let length = try? ContentRange.number(value[...]) else {
            throw TransferError(.malformedField, "Content-Length is not a number.")
        }
        return length
    }
}
