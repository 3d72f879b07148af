import HTTPTypes
import HoldfastNIO
import NIOCore

/// Runs a resumable upload.
struct ResumableUploadDriver {
    private let client: HTTPClient
    private let request: HTTPRequest
    private let url: RequestURL
    private let file: UploadFile
    private let digest: Checksum
    private let options: ResumableUploadOptions
    private let deadline: NIODeadline?
    private let fields: ResumptionFields
    private var machine: ResumableUploadMachine
    private var counter: AttemptCounter
    private var resumedAt: Int64 = 0
    /// The last token that was passed to the caller.
    private var told: ResumeToken?

    init(
        _ client: HTTPClient, _ request: HTTPRequest, from path: String, _ token: ResumeToken?,
        _ options: ResumableUploadOptions
    ) async throws {
        self.client = client
        self.request = request
        self.options = options
        deadline = options.totalTimeout.map { client.core.now + TimeAmount(clamping: $0) }
        url = try RequestURL(request)
        file = try await UploadFile(path: path)
        digest = try await file.digest(.sha256)
        let version = token?.version ?? options.version
        fields = ResumptionFields(version: version)
        counter = AttemptCounter(options.retry)
        machine = ResumableUploadMachine(url, length: file.size, version: version, partLimit: options.partSize)
        guard let token else { return }
        try token.check(request.method, url)
        guard token.stamp == file.reader.stamp, token.digest == digest.hex else {
            throw TransferError(
                .fileChanged, "The token was created for another file or an earlier version of the file.")
        }
        try machine.resume(at: token.location, acknowledged: token.acknowledged)
        resumedAt = token.acknowledged
        told = token
        options.onEvent?(.resuming(at: token.acknowledged))
    }

    /// Runs the upload to its end.
    mutating func run() async throws -> ResumableUploadResult {
        if machine.location == nil, options.fallback == .refuse { try await askWhetherSupported() }
        while true {
            let before = machine.acknowledged
            do {
                let answer = try await step()
                if machine.acknowledged > before { counter.progressed() }
                guard case .nothing = machine.next else { continue }
                return ResumableUploadResult(
                    answer: answer, resumedAt: resumedAt, attempts: counter.attempts,
                    wasResumable: machine.location != nil)
            } catch let error as TransportError {
                guard machine.lost(), let delay = counter.failed(error) else { throw error }
                options.onEvent?(.lost(error, waiting: delay))
                try await client.core.pause(delay, until: deadline)
            }
        }
    }

    /// Sends the next request. Returns the response that ends the upload, if there is one.
    private mutating func step() async throws -> CollectedResponse? {
        let answer: CollectedResponse
        let isQuestion: Bool
        switch machine.next {
        case .nothing:
            return nil
        case .create(let range, let isLast):
            isQuestion = false
            var creation = request
            let more = fields.sending(offset: nil, isLast: isLast, length: machine.length)
            try Self.set(more, in: &creation)
            if options.announcesDigest {
                try Self.set([(DigestField.representation, DigestField.value([digest]))], in: &creation)
            }
            answer = try await send(creation, range)
        case .askOffset(let location):
            isQuestion = true
            answer = try await send(try about(location, .head, fields.announcing), nil)
        case .append(let location, let range, let isLast):
            isQuestion = false
            let more = fields.sending(offset: range.lowerBound, isLast: isLast, length: machine.length)
            answer = try await send(try about(location, .patch, more), range)
        }
        let isOver: Bool
        do throws(TransferError) {
            isOver = try machine.answered(answer.response)
        } catch {
            var error = error
            if error.response != nil { error.body = Array(answer.body.prefix(16 * 1024)) }
            throw error
        }
        try await tell()
        return isOver && !isQuestion ? answer : nil
    }

    private mutating func send(_ request: HTTPRequest, _ range: Range<Int64>?) async throws -> CollectedResponse {
        let informational = AsyncStream.makeStream(of: HTTPResponse.self)
        var requestOptions = try requestOptions()
        requestOptions.onInformational = { informational.continuation.yield($0) }
        if let range, let onProgress = options.onProgress {
            let length = machine.length
            requestOptions.onProgress = { progress in
                onProgress(TransferProgress(sent: range.lowerBound + progress.sent, toSend: length))
            }
        }
        let (client, file, limit) = (client, file, options.maximumAnswerBytes)
        var driver = self
        defer { self = driver }
        return try await withThrowingTaskGroup(of: CollectedResponse.self) { group in
            group.addTask { [requestOptions] in
                defer { informational.continuation.finish() }
                return try await file.translating {
                    try await client.collect(request, body: range.map(file.body), upTo: limit, options: requestOptions)
                }
            }
            // An error that is thrown here cancels the request in progress.
            for await response in informational.stream {
                try driver.machine.informational(response)
                try await driver.tell()
            }
            guard let answer = try await group.next() else { throw CancellationError() }
            return answer
        }
    }

    /// Returns the options of a request. Redirects are not followed, so that neither the file nor the credentials go
    /// elsewhere.
    private func requestOptions() throws(TransportError) -> RequestOptions {
        RequestOptions(
            idleTimeout: options.idleTimeout, totalTimeout: try client.core.remaining(until: deadline),
            waitsForConnectivity: options.waitsForConnectivity)
    }

    private mutating func askWhetherSupported() async throws {
        let answer = try await client.collect(
            try about(url, .options, fields.announcing), upTo: options.maximumAnswerBytes, options: requestOptions())
        let response = answer.response
        let isSpoken = try ResumptionFields.version(of: response) == Int64(machine.version.rawValue)
        guard (200..<300).contains(response.status.code), isSpoken || ResumptionFields.has("Upload-Limit", response)
        else {
            throw TransferError(
                .resumptionNotSupported, "The server does not support resumable uploads.",
                response: response)
        }
        let limits = try ResumptionFields.limits(of: response)
        try machine.limit(whole: limits.whole, part: limits.part)
    }

    /// Passes the token to the caller if it has changed.
    private mutating func tell() async throws {
        guard let location = machine.location else { return }
        let token = ResumeToken(
            version: machine.version, location: location.text, request: ResumeToken.binding(request.method, url),
            stamp: file.reader.stamp, digest: digest.hex, acknowledged: machine.acknowledged)
        guard token != told else { return }
        told = token
        await options.onToken?(token)
    }

    /// Returns a request about the upload, with the caller's fields except those for the creation only.
    private func about(
        _ url: RequestURL, _ method: HTTPRequest.Method, _ more: [(String, String)]
    ) throws(TransferError) -> HTTPRequest {
        var request = url.request(method, Self.fields(about: request))
        try Self.set(more, in: &request)
        return request
    }

    /// Returns the fields of a request that later requests repeat, in particular credentials.
    static func fields(about request: HTTPRequest) -> HTTPFields {
        var fields = HTTPFields()
        for field in request.headerFields where !belongsToCreation(field.name) { fields.append(field) }
        return fields
    }

    /// Returns whether a field applies only to the body or to the resource at the request's own URL. A condition such
    /// as `If-None-Match: *` has another meaning at the upload's URL.
    private static func belongsToCreation(_ name: HTTPField.Name) -> Bool {
        let text = name.canonicalName
        return text.hasPrefix("content-") || text.hasPrefix("upload-") || text.hasPrefix("if-")
            || [.expect, .range, .trailer].contains(name) || text == DigestField.representation.lowercased()
    }

    private static func set(_ fields: [(String, String)], in request: inout HTTPRequest) throws(TransferError) {
        for (text, value) in fields {
            guard let name = HTTPField.Name(text), !request.headerFields.contains(name) else {
                throw TransferError(.invalidRequest, "The field \(text) is set by the upload itself.")
            }
            request.headerFields[name] = value
        }
    }
}
