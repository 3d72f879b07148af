import HTTPTypes

/// The client's side of one resumable upload, as a value: what to send next, and what the answers mean.
struct ResumableUploadMachine: Sendable {
    /// What to send.
    enum Command: Hashable, Sendable {
        /// The request itself, with these bytes of the file.
        case create(Range<Int64>, isLast: Bool)
        /// The question how many bytes the server has.
        case askOffset(RequestURL)
        /// These bytes.
        case append(RequestURL, Range<Int64>, isLast: Bool)
        /// Nothing more: the server has all.
        case nothing
    }

    private enum State: Hashable, Sendable {
        /// Nothing is sent. Next: interrupted, ready, complete.
        case new
        /// What the server has is not known. Next: ready, complete.
        case interrupted
        /// The server has what is acknowledged, and waits for more. Next: interrupted, complete.
        case ready
        /// The server has all.
        case complete
    }

    /// How often the server may answer without having more bytes than before.
    static let maximumStalls = 4
    /// Longer URLs do not fit into the requests that servers accept.
    static let maximumLocation = 8 * 1024

    let length: Int64
    let version: UploadInteropVersion
    private let request: RequestURL
    private var state = State.new
    private var stalls = 0
    /// The most bytes of one request, where there is a limit.
    private var partLimit: Int64?
    /// The URL of the upload, as soon as the server has named it.
    private(set) var location: RequestURL?
    /// How many bytes the server has said it has.
    private(set) var acknowledged: Int64 = 0

    /// How far the server can have got: behind what was sent at most.
    private var reach: Int64 = 0

    /// An upload that begins.
    init(_ request: RequestURL, length: Int64, version: UploadInteropVersion, partLimit: Int64? = nil) {
        self.request = request
        self.length = length
        self.version = version
        self.partLimit = partLimit.map { max(1, $0) }
    }

    /// Goes on with an upload that the server knows. Throws if its URL is none that the server may have named.
    mutating func resume(at url: String, acknowledged: Int64) throws(TransferError) {
        guard (0...length).contains(acknowledged) else {
            throw TransferError(.tokenRefused, "The token acknowledges more bytes than the file has.")
        }
        try take(location: url)
        self.acknowledged = acknowledged
        // What an earlier call has sent beyond that is not known.
        reach = length
        state = .interrupted
    }

    /// The server takes no more than this: of the whole, and in one request.
    mutating func limit(whole: Int64?, part: Int64?) throws(TransferError) {
        if let whole, length > whole {
            throw TransferError(.tooLarge, "The file has \(length) bytes; the server takes \(whole).")
        }
        if let part { partLimit = max(1, min(part, partLimit ?? .max)) }
    }

    /// What to send next.
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

    /// A response before the final one. A `104` names the URL of the upload.
    mutating func informational(_ response: HTTPResponse) throws(TransferError) {
        guard response.status.code == 104, let spoken = try ResumptionFields.version(of: response) else { return }
        guard spoken == Int64(version.rawValue) else {
            throw TransferError(
                .resumptionNotSupported, "The server speaks interop version \(spoken), not \(version.rawValue).")
        }
        try takeLocation(of: response)
    }

    /// The connection was lost. Returns whether the upload can go on.
    mutating func lost() -> Bool {
        guard location != nil, state != .complete else { return false }
        noteSent()
        state = .interrupted
        return true
    }

    /// The bytes that ``next`` names may have reached the server.
    private mutating func noteSent() {
        switch next {
        case .create(let range, _), .append(_, let range, _): reach = max(reach, range.upperBound)
        case .askOffset, .nothing: break
        }
    }

    /// The final response to what ``next`` says. Returns whether it ends the upload.
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
            throw TransferError(.offsetRefused, "The server does not say how many bytes it has.")
        }
        let isComplete = try ResumptionFields(version: version).isComplete(response) ?? false
        guard !isComplete || offset == length else {
            throw TransferError(.offsetRefused, "The server has all, and \(offset) of \(length) bytes.")
        }
        try acknowledge(offset, upTo: reach)
        state = isComplete ? .complete : .ready
    }

    private mutating func sent(
        _ range: Range<Int64>, isLast: Bool, _ response: HTTPResponse
    ) throws(TransferError) -> Bool {
        if response.status.code == 409, location != nil, state == .ready {
            // The server has another number of bytes than it said: ask again, not for ever.
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
            throw TransferError(.resumptionNotSupported, "The server names no URL for the rest of the upload.")
        }
        guard isComplete != true, let offset = try ResumptionFields.offset(of: response) else {
            throw TransferError(.offsetRefused, "The server does not say how many bytes it has.")
        }
        try acknowledge(offset, upTo: range.upperBound)
        state = .ready
        return false
    }

    private mutating func acknowledge(_ offset: Int64, upTo end: Int64) throws(TransferError) {
        guard offset <= end else {
            throw TransferError(.offsetRefused, "The server has \(offset) bytes; \(end) can have come.")
        }
        guard offset >= acknowledged else {
            throw TransferError(.offsetRefused, "The server has \(offset) bytes; it had \(acknowledged).")
        }
        if offset > acknowledged { stalls = 0 } else { try stall() }
        acknowledged = offset
    }

    private mutating func stall() throws(TransferError) {
        stalls += 1
        guard stalls <= Self.maximumStalls else {
            throw TransferError(.offsetRefused, "The server takes no more bytes than \(acknowledged).")
        }
    }

    private func checkStatus(_ response: HTTPResponse) throws(TransferError) {
        let code = response.status.code
        if location != nil, state != .new, code == 404 || code == 410 {
            throw TransferError(.uploadGone, "The server does not know the upload.", response: response)
        }
        guard (200..<300).contains(code) else {
            throw TransferError(.unexpectedStatus, "The server answered with \(code).", response: response)
        }
    }

    // MARK: The URL of the upload

    private mutating func takeLocation(of response: HTTPResponse) throws(TransferError) {
        let values = response.headerFields[values: .location]
        guard let value = values.first else { return }
        // A plain server's 201 may name what it has made, too; the answer of this protocol says its version.
        guard try ResumptionFields.version(of: response) != nil else { return }
        guard values.count == 1 else { throw Self.refused("The server names two URLs for the upload.") }
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
        // The rest of the file and the request's credentials go there: to nobody but the server that was judged.
        guard url.origin == request.origin else { throw Self.refused("The URL of the upload is on another origin.") }
        guard location == nil || location == url else {
            throw Self.refused("The server names another URL than before.")
        }
        location = url
    }

    private static func refused(_ reason: String) -> TransferError { TransferError(.locationRefused, reason) }
}
