import HTTPTypes

/// Decides what the responses of one download mean, as a value. RFC 9110, 13.1.5, 14 and 15.3.7.
struct DownloadMachine: Sendable {
    /// What to do with the body of a response.
    enum Step: Hashable, Sendable {
        /// Throw away what there is, and write the body from the beginning on. The reason, where something was thrown away.
        case begin(reason: String?)
        /// Write the body behind what there is.
        case append
        /// Leave the body, throw away what there is, and ask for the whole.
        case startOver(reason: String)
    }

    /// How often a file may change on the server in the course of one call.
    static let maximumRestarts = 3

    private let requested: String
    private let limit: Int64
    /// How many bytes are there.
    private(set) var received: Int64
    /// How to ask for the rest; `nil` where that is not possible.
    private(set) var record: PartRecord?
    /// How many bytes the whole has, where that is known.
    private(set) var total: Int64?
    /// The digests of the whole that the server has announced.
    private(set) var digests: [Checksum] = []
    /// The digests of the bytes of this response alone, and where those begin.
    private(set) var partDigests: (start: Int64, checksums: [Checksum]) = (0, [])
    private var start: Int64 = 0
    private var end: Int64?
    private var restarts = 0

    /// Begins with what an earlier call has left.
    ///
    /// - Parameters:
    ///   - requested: The digest of the request's URL.
    ///   - limit: The most bytes that the whole may have.
    ///   - received: How many bytes are there.
    ///   - record: What is known about them.
    init(requested: String, limit: Int64, received: Int64 = 0, record: PartRecord? = nil) {
        self.requested = requested
        self.limit = max(0, limit)
        self.received = 0
        guard let record, record.requested == requested, received > 0, received <= record.total ?? .max else { return }
        self.record = record
        total = record.total
        digests = record.checksums
        // Of a whole file the last byte is asked for once more: that is how the server says that it still has this one.
        self.received = received == record.total ? received - 1 : received
        if self.received == 0 { self.record = nil }
    }

    /// The fields that ask for what is missing. A coding would make ranges ranges of other bytes.
    var fields: [HTTPField] {
        var fields = [HTTPField(name: .acceptEncoding, value: "identity")]
        if let record, received > 0 {
            fields.append(HTTPField(name: .range, value: "bytes=\(received)-"))
            fields.append(HTTPField(name: .ifRange, value: record.validator.field))
        }
        return fields
    }

    private var hasAskedForRange: Bool { record != nil && received > 0 }

    /// A response has come. `answered` is the digest of the URL that it came from.
    mutating func answer(_ response: HTTPResponse, from answered: String) throws(TransferError) -> Step {
        switch response.status.code {
        case 200: return try whole(response, from: answered)
        case 206 where hasAskedForRange: return try rest(response, from: answered)
        case 206: throw TransferError(.rangeMismatch, "The server sends a part where the whole was asked for.")
        case 416 where hasAskedForRange: return try startOver("the server has no bytes behind those that are there")
        default:
            throw TransferError(
                .unexpectedStatus, "The server answered with \(response.status.code).", response: response)
        }
    }

    private mutating func whole(_ response: HTTPResponse, from answered: String) throws(TransferError) -> Step {
        try Self.refuseCoding(response)
        let length = try Self.length(response)
        try checkLimit(length)
        let announced =
            try DigestField.read(DigestField.representation, of: response.headerFields)
            // Of a 200 without a coding the content is the representation.
            + DigestField.read(DigestField.content, of: response.headerFields)
        var reason: String?
        if hasAskedForRange {
            reason = "the server sends the whole: the file has changed, or ranges are not served"
            try countRestart()
        }
        received = 0
        total = length
        end = length
        start = 0
        digests = []
        partDigests = (0, [])
        guard add(announced) else {
            throw TransferError(.malformedField, "The server announces two different digests of the same bytes.")
        }
        record = EntityValidator(response).map {
            PartRecord(requested: requested, answered: answered, validator: $0, total: length, digests: digests)
        }
        return .begin(reason: reason)
    }

    private mutating func rest(_ response: HTTPResponse, from answered: String) throws(TransferError) -> Step {
        guard let record else { throw TransferError(.rangeMismatch, "No part was asked for.") }
        try Self.refuseCoding(response)
        if let type = response.headerFields[.contentType], type.lowercased().hasPrefix("multipart/byteranges") {
            throw TransferError(.rangeMismatch, "The server sends several ranges where one was asked for.")
        }
        guard record.answered == answered else { return try startOver("another URL answers now") }
        guard record.validator.matches(response) else { return try startOver("the file has changed on the server") }
        let values = response.headerFields[values: .contentRange]
        guard values.count == 1, let value = values.first else {
            throw TransferError(.rangeMismatch, "A 206 has \(values.count) fields Content-Range.")
        }
        let range = try ContentRange(parsing: value)
        guard let bytes = range.bytes else {
            throw TransferError(.rangeMismatch, "A 206 does not say which bytes it carries.")
        }
        guard bytes.lowerBound == received else {
            throw TransferError(
                .rangeMismatch, "The server sends from byte \(bytes.lowerBound) on; \(received) was asked for.")
        }
        guard let whole = range.total ?? total else {
            throw TransferError(.rangeMismatch, "The server does not say how long the whole is.")
        }
        guard total == nil || total == whole, bytes.upperBound < whole else {
            throw TransferError(.rangeMismatch, "The server gives the whole another length than before.")
        }
        try checkLimit(whole)
        if let length = try Self.length(response), length != bytes.upperBound - bytes.lowerBound + 1 {
            throw TransferError(.rangeMismatch, "The length of a 206 is not that of its range.")
        }
        guard add(try DigestField.read(DigestField.representation, of: response.headerFields)) else {
            return try startOver("the server announces another digest than before")
        }
        partDigests = (received, try DigestField.read(DigestField.content, of: response.headerFields))
        total = whole
        start = received
        end = bytes.upperBound + 1
        self.record?.total = whole
        return .append
    }

    /// So many bytes are to be written. Throws, before they are, if there are more than there may be.
    mutating func take(_ count: Int) throws(TransferError) {
        let (sum, overflows) = received.addingReportingOverflow(Int64(count))
        try checkLimit(overflows ? .max : sum)
        if let end, sum > end { throw TransferError(.rangeMismatch, "The body is longer than its head says.") }
        received = sum
    }

    /// The body has ended. Returns whether all is there.
    mutating func bodyEnded(trailers: HTTPFields?) throws(TransferError) -> Bool {
        if let end, received < end { throw TransferError(.rangeMismatch, "The body is shorter than its head says.") }
        if let trailers, !add(try DigestField.read(DigestField.representation, of: trailers)) {
            throw TransferError(.malformedField, "The server announces two different digests of the same bytes.")
        }
        total = total ?? received
        guard received > start || received == total else {
            throw TransferError(.rangeMismatch, "The server sends nothing of what is missing.")
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
            throw TransferError(.contentChanged, "The file has changed \(restarts) times while it was fetched.")
        }
    }

    /// Notes digests of the whole. Returns false where one contradicts what was announced before.
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
        throw TransferError(.tooLarge, "The file has more than the \(limit) bytes that are taken.")
    }

    private static func refuseCoding(_ response: HTTPResponse) throws(TransferError) {
        let codings = response.headerFields[values: .contentEncoding]
        guard codings.allSatisfy({ $0.lowercased() == "identity" }) else {
            throw TransferError(.codedBody, "The server sends a coded body, which was not asked for.")
        }
    }

    private static func length(_ response: HTTPResponse) throws(TransferError) -> Int64? {
        guard let value = response.headerFields[.contentLength] else { return nil }
        guard let length = try? ContentRange.number(value[...]) else {
            throw TransferError(.malformedField, "Content-Length is no number.")
        }
        return length
    }
}
