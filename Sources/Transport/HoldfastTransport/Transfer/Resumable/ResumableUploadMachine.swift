import HTTPTypes

/// The client state of a resumable upload: the next request, and the interpretation of responses.
struct ResumableUploadMachine: Sendable {
    /// The next request to send.
    enum Command: Hashable, Sendable {
        /// The original request, with these bytes of the file.
        case create(Range<Int64>, isLast: Bool)
        /// A request for the number of bytes that the server has.
        case askOffset(RequestURL)
        /// A request that appends these bytes.
        case append(RequestURL, Range<Int64>, isLast: Bool)
        /// No further request: the server has all bytes.
        case nothing
    }

    private enum State: Hashable, Sendable {
        /// No request was sent. Next: interrupted, ready, complete.
        case new
        /// The server's offset is unknown. Next: ready, complete.
        case interrupted
        /// The server has the acknowledged bytes and waits for more. Next: interrupted, complete.
        case ready
        /// The server has all bytes.
        case complete
    }

    /// The number of responses without progress that are permitted.
    ///
    /// - Error: `TransferError.Code.offsetRefused`
    static let maximumStalls = 4
    /// The maximum length of the upload's URL, in bytes. Servers do not accept requests with longer URLs.
    ///
    /// - Error: `TransferError.Code.locationRefused`
    static let maximumLocation = 8 * 1024

    let length: Int64
    let version: UploadInteropVersion
    private let request: RequestURL
    private var state = State.new
    private var stalls = 0
    /// The maximum number of bytes per request, if limited.
    private var partLimit: Int64?
    /// The URL of the upload, once the server has sent it.
    private(set) var location: RequestURL?
    /// The number of bytes that the server acknowledged.
    private(set) var acknowledged: Int64 = 0

    /// The highest offset that the server can have: the end of the bytes sent so far.
    private var reach: Int64 = 0

    /// Creates a machine for a new upload.
    init(_ request: RequestURL, length: Int64, version: UploadInteropVersion, partLimit: Int64? = nil) {
        self.request = request
        self.length = length
        self.version = version
        self.partLimit = partLimit.map { max(1, $0) }
    }

    /// Resumes an upload that the server knows. Throws `locationRefused` if the server could not have sent this URL.
    mutating func resume(at url: String, acknowledged: Int64) throws(TransferError) {
        guard (0...length).contains(acknowledged) else {
            throw TransferError(.tokenRefused, "The token acknowledges more bytes than the file contains.")
        }
        try take(location: url)
        self.acknowledged = acknowledged
        // It is unknown how many more bytes an earlier call sent.
        reach = length
        state = .interrupted
    }

    /// Applies the server's limits for the whole upload and for one request, in bytes.
    mutating func limit(whole: Int64?, part: Int64?) throws(TransferError) {
        if let whole, length > whole {
            throw TransferError(.tooLarge, "The file has \(length) bytes; the server accepts at most \(whole).")
        }
        if let part { partLimit = max(1, min(part, partLimit ?? .max)) }
    }

    /// The next request to send.
    var next: Command {
        let end = acknowledged + min(length - acknowledged, partLimit ?? .max)
        let (range, isLast) = (acknowledged..<end, end == length)
        switch (state, location) {
        case (.new, _): return .create(range, isLast: isLast)
        case (.interrupted, let url?): return .askOffset(url)
        case (.ready, let url?): return .append(url, range, isLast: isLast)
        case (.complete, _), (_, nil): return .nothing
        }
    }

    /// Processes an informational response. A `104` contains the URL of the upload.
    mutating func informational(_ response: HTTPResponse) throws(TransferError) {
        guard response.status.code == 104, let spoken = try ResumptionFields.version(of: response) else { return }
        guard spoken == Int64(version.rawValue) else {
            throw TransferError(
                .resumptionNotSupported, "The server uses interop version \(spoken) instead of \(version.rawValue).")
        }
        try takeLocation(of: response)
    }

    /// Records a lost connection. Returns whether the upload can continue.
    mutating func lost() -> Bool {
        guard location != nil, state != .complete else { return false }
        noteSent()
        state = .interrupted
        return true
    }

    /// Records that the bytes of ``next`` may have reached the server.
    private mutating func noteSent() {
        switch next {
        case .create(let range, _), .append(_, let range, _): reach = max(reach, range.upperBound)
        case .askOffset, .nothing: break
        }
    }

    /// Processes the final response to ``next``. Returns whether it ends the upload.
    mutating func answered(_ response: HTTPResponse) throws(TransferError) -> Bool {
        noteSent()
        switch next {
        case .nothing:
            return true
        case .askOffset:
            try offsetAnswered(response)
            return state == .complete
        case .create(let range, let isLast):
            try takeLocation(of: response)
            return try sent(range, isLast: isLast, response)
        case .append(_, let range, let isLast):
            return try sent(range, isLast: isLast, response)
        }
    }

    private mutating func offsetAnswered(_ response: HTTPResponse) throws(TransferError) {
        try checkStatus(response)
        guard let offset = try ResumptionFields.offset(of: response) else {
            throw TransferError(.offsetRefused, "The server did not send the number of received bytes.")
        }
        let isComplete = try ResumptionFields(version: version).isComplete(response) ?? false
        guard !isComplete || offset == length else {
            throw TransferError(
                .offsetRefused, "The server reports a complete upload, but only \(offset) of \(length) bytes.")
        }
        try acknowledge(offset, upTo: reach)
        state = isComplete ? .complete : .ready
    }

    private mutating func sent(
        _ range: Range<Int64>, isLast: Bool, _ response: HTTPResponse
    ) throws(TransferError) -> Bool {
        if response.status.code == 409, location != nil, state == .ready {
            // The server's offset differs from the one it reported. Asks again, a limited number of times.
            try stall()
            state = .interrupted
            return false
        }
        try checkStatus(response)
        let isComplete = try ResumptionFields(version: version).isComplete(response)
        if isLast, isComplete ?? true {
            state = .complete
            return true
        }
        guard location != nil else {
            throw TransferError(.resumptionNotSupported, "The server sent no URL for the rest of the upload.")
        }
        guard isComplete != true, let offset = try ResumptionFields.offset(of: response) else {
            throw TransferError(.offsetRefused, "The server did not send the number of received bytes.")
        }
        try acknowledge(offset, upTo: range.upperBound)
        state = .ready
        return false
    }

    private mutating func acknowledge(_ offset: Int64, upTo end: Int64) throws(TransferError) {
        guard offset <= end else {
            throw TransferError(.offsetRefused, "The server reports \(offset) bytes; at most \(end) were sent.")
        }
        guard offset >= acknowledged else {
            throw TransferError(.offsetRefused, "The server reports \(offset) bytes; before it had \(acknowledged).")
        }
        if offset > acknowledged { stalls = 0 } else { try stall() }
        acknowledged = offset
    }

    private mutating func stall() throws(TransferError) {
        stalls += 1
        guard stalls <= Self.maximumStalls else {
            throw TransferError(.offsetRefused, "The server accepts no bytes beyond \(acknowledged).")
        }
    }

    private func checkStatus(_ response: HTTPResponse) throws(TransferError) {
        let code = response.status.code
        if location != nil, state != .new, code == 404 || code == 410 {
            throw TransferError(.uploadGone, "The server does not know the upload.", response: response)
        }
        guard (200..<300).contains(code) else {
            throw TransferError(.unexpectedStatus, "The server responded with status \(code).", response: response)
        }
    }

    // MARK: The URL of the upload

    private mutating func takeLocation(of response: HTTPResponse) throws(TransferError) {
        let values = response.headerFields[values: .location]
        guard let value = values.first else { return }
        // The 201 of a server without support may contain a location too. A response of this protocol contains its
        // version.
        guard try ResumptionFields.version(of: response) != nil else { return }
        guard values.count == 1 else { throw Self.refused("The server sent two URLs for the upload.") }
        try take(location: value)
    }

    private mutating func take(location text: String) throws(TransferError) {
        guard text.utf8.count <= Self.maximumLocation else { throw Self.refused("The URL of the upload is too long.") }
        let url: RequestURL
        do throws(TransportError) {
            url = try request.resolving(text)
        } catch {
            throw Self.refused("The URL of the upload cannot be used: \(error.code).")
        }
        // The rest of the file and the request's credentials are sent to this URL, so it must belong to the verified
        // server.
        guard url.origin == request.origin else { throw Self.refused("The URL of the upload is on another origin.") }
        guard location == nil || location == url else {
            throw Self.refused("The server sent a different URL for the upload than before.")
        }
        location = url
    }

    private static func refused(_ reason: String) -> TransferError { TransferError(.locationRefused, reason) }
}
