import HTTPTypes
import HoldfastNIO
import NIOCore

/// Runs a download: sends requests, writes the received bytes and retries.
struct DownloadDriver {
    private enum Outcome: Sendable {
        /// The file is complete.
        case complete(HTTPResponse, ConnectionFacts)
        /// Another request is needed.
        case more
    }

    private let client: HTTPClient
    private let carrier: any DownloadCarrier
    private let request: HTTPRequest
    private let options: DownloadOptions
    private let file: PartialFile
    private let deadline: NIODeadline?
    private var machine: DownloadMachine
    private var counter: AttemptCounter
    private var pace: DownloadPace
    /// The number of bytes that an earlier call received.
    private var resumedAt: Int64
    /// The highest number of bytes received so far. Receiving the same bytes again is not progress.
    private var best: Int64 = 0

    /// The maximum number of bytes kept from the body of an error response. The rest is not read.
    private static let answerLimit = 16 * 1024

    init(
        _ client: HTTPClient, _ carrier: any DownloadCarrier, _ request: HTTPRequest, to path: String,
        _ options: DownloadOptions
    ) async throws {
        try Self.check(request)
        self.client = client
        self.carrier = carrier
        self.request = request
        self.options = options
        deadline = options.totalTimeout.map { client.core.now + TimeAmount(clamping: $0) }
        counter = AttemptCounter(options.retry)
        pace = DownloadPace(options.minimumProgress)
        let requested = PartRecord.digest(of: try RequestURL(request).text)
        let (file, size, record) = try await Blocking.run {
            let file = try PartialFile(for: path)
            let size = try file.size()
            guard options.replacement != .never || !file.hadDestination else {
                if size == 0 { file.discard() }
                throw PartialFile.destinationExists
            }
            return (file, size, try file.record())
        }
        self.file = file
        machine = DownloadMachine(requested: requested, limit: options.maximumBytes, received: size, record: record)
        resumedAt = machine.received
        best = machine.received
        if machine.received > 0 {
            options.onEvent?(.resuming(at: machine.received))
        } else if size > 0 {
            options.onEvent?(
                .startedOver(reason: "the existing part belongs to another request, or has no valid record"))
        }
    }

    /// Unlocks the destination for other downloads. Removes an empty part, which is useless to them.
    func release() {
        if (try? file.size()) == 0 { file.discard() }
        file.unlock()
    }

    /// Runs the download to its end.
    mutating func run() async throws -> DownloadedFile {
        while true {
            let wait: Duration
            let before = machine.received
            do {
                if case .complete(let response, let facts) = try await attempt() {
                    return try await finish(response, facts)
                }
                try pace.ended(with: machine.received - before)
                counter.progressed()
                continue
            } catch let error as TransferError {
                // `discard` reports no errors: the next download discards whatever remains.
                if endsThePart(error) { await Blocking.run { [file] in file.discard() } }
                throw error
            } catch {
                if machine.received > best {
                    best = machine.received
                    try pace.ended(with: machine.received - before)
                    counter.progressed()
                }
                guard let delay = counter.failed(error), let error = error as? TransportError else { throw error }
                options.onEvent?(.lost(error, waiting: delay))
                wait = delay
            }
            try await client.core.pause(wait, until: deadline)
            tellWhatIsLost()
        }
    }

    /// The errors after which the part is useless, or would lead to the same error again.
    private static let endsTheParts: Set<TransferError.Code> = [
        .rangeMismatch, .malformedField, .contentChanged, .codedBody, .tooLarge, .checksumMismatch,
    ]

    /// Returns whether the part must be deleted. Bytes with a wrong digest are never kept.
    private func endsThePart(_ error: TransferError) -> Bool {
        error.code == .checksumMismatch || (!options.keepsPart && Self.endsTheParts.contains(error.code))
    }

    /// Reports that bytes without a validator are discarded, because the download starts again.
    private func tellWhatIsLost() {
        guard machine.record == nil, machine.received > 0 else { return }
        options.onEvent?(.startedOver(reason: "the server sent no validator to resume with"))
    }

    private mutating func attempt() async throws -> Outcome {
        var request = request
        for field in machine.fields { request.headerFields[field.name] = field.value }
        let requestOptions = RequestOptions(
            idleTimeout: options.idleTimeout, totalTimeout: try client.core.remaining(until: deadline),
            redirects: options.redirects)
        var driver = self
        defer { self = driver }
        return try await carrier.carry(request, options: requestOptions) { response, body in
            try await driver.take(response, &body)
        }
    }

    private mutating func take(_ response: HTTPResponse, _ body: inout HTTPBodyReader) async throws -> Outcome {
        let step: DownloadMachine.Step
        do throws(TransferError) {
            step = try machine.answer(response, from: body.url.map { PartRecord.digest(of: $0.text) } ?? "")
        } catch {
            var error = error
            if error.code == .unexpectedStatus { error.body = try await beginning(of: &body) }
            throw error
        }
        switch step {
        case .begin(let reason):
            if let reason { options.onEvent?(.startedOver(reason: reason)) }
            resumedAt = 0
            try await beginPart()
        case .append:
            try await beginPart()
        case .startOver(let reason):
            options.onEvent?(.startedOver(reason: reason))
            resumedAt = 0
            try await beginPart()
            return .more
        }
        report()
        pace.began(at: client.core.now)
        while let part = try await body.next() {
            let offset = machine.received
            try machine.take(part.count)
            try pace.received(part.count, at: client.core.now)
            try await Blocking.run { [file] in try file.write(part, at: offset) }
            report()
        }
        let isWhole = try machine.bodyEnded(trailers: body.trailers)
        try await verify(machine.partDigests.checksums, of: machine.partDigests.start..<machine.received)
        return isWhole ? .complete(response, body.facts) : .more
    }

    /// Prepares the part and the record before the first byte is written. When the part is discarded, the record is
    /// removed first, because it must never describe the bytes of another file.
    private func beginPart() async throws {
        let (record, size) = (machine.record, machine.received)
        try await Blocking.run { [file] in
            if size == 0 { try file.save(nil) }
            try file.truncate(to: size)
            try file.save(record)
        }
    }

    private func report() {
        options.onProgress?(TransferProgress(received: machine.received, toReceive: machine.total))
    }

    private func finish(_ response: HTTPResponse, _ facts: ConnectionFacts) async throws -> DownloadedFile {
        var checksums = machine.digests
        if let wanted = options.checksum, !checksums.contains(wanted) { checksums.append(wanted) }
        let size = machine.received
        try await verify(checksums, of: 0..<size)
        let replaces =
            switch options.replacement {
            case .never: false
            case .existing: file.hadDestination
            case .always: true
            }
        try await Blocking.run { [file] in try file.finish(replaces: replaces) }
        return DownloadedFile(
            path: file.destination, size: size, resumedAt: resumedAt, attempts: counter.attempts, verified: checksums,
            response: response, facts: facts)
    }

    private func verify(_ checksums: [Checksum], of range: Range<Int64>) async throws {
        for expected in checksums {
            let bytes = try await ContentHasher.digest(expected.algorithm, of: range, in: .receiving) { [file] in
                try file.readSome(at: $0, count: $1)
            }
            guard bytes == expected.bytes else {
                throw TransferError(
                    .checksumMismatch,
                    "The \(expected.algorithm.rawValue) digest of \(range.count) bytes does not match.",
                    expected: expected, found: Checksum(expected.algorithm, bytes: bytes))
            }
        }
    }

    private func beginning(of body: inout HTTPBodyReader) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        var reading = PacedReading(client, minimum: options.minimumProgress)
        do {
            while bytes.count < Self.answerLimit, let part = try await reading.next(&body) { bytes += part }
        } catch let error as TransportError where error.code == .connectionClosed {
            // The status matters, not its body. A truncated body is not a reason to retry.
        } catch let error as TransferError where error.code == .tooLittleProgress {
            // The same applies to a server that sends the body too slowly.
        }
        return Array(bytes.prefix(Self.answerLimit))
    }

    private static func check(_ request: HTTPRequest) throws(TransferError) {
        guard request.method == .get else {
            throw TransferError(.invalidRequest, "The method of a download must be GET.")
        }
        let own: [HTTPField.Name] = [
            .range, .ifRange, .acceptEncoding, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
        ]
        for name in own where request.headerFields.contains(name) {
            throw TransferError(.invalidRequest, "The field \(name) is set by the download itself.")
        }
    }
}
