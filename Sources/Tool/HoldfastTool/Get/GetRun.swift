import HTTPTypes
import HoldfastBase
import HoldfastSystem
import HoldfastTransport

/// One run of `holdfast get`: sends the request, writes the response and reports the result.
struct GetRun: Sendable {
    let request: HTTPRequest
    let body: HTTPBody?
    let output: GetOutput
    var plan: GetPlan
    /// The client's trust and route, to describe a refusal as `probe` does.
    let prober: Prober
    let client: HTTPClient
    let journal: GetJournal
    let screen: GetScreen
    let console: Console
    /// Returns when the user or the system interrupts the command.
    var interruption: @Sendable () async -> Void = { await Interruption.wait() }

    /// The maximum number of bytes that are read from the body of an error response if it is not written. The rest is
    /// not read.
    private static let errorBodyLimit = 16 * 1024

    /// Whether the response is downloaded with resumption: a `GET` without a body to a file.
    var isDownload: Bool {
        guard case .file = output else { return false }
        return Self.isResumable(
            method: request.method.rawValue, hasBody: body != nil, isCompressed: plan.isCompressed)
    }

    /// Returns whether the response to such a request can be downloaded with resumption.
    static func isResumable(method: String, hasBody: Bool, isCompressed: Bool) -> Bool {
        method == HTTPRequest.Method.get.rawValue && !hasBody && !isCompressed
    }

    /// Returns this run with a time limit for everything that began at `start`.
    func since(_ start: ContinuousClock.Instant) -> GetRun {
        var run = self
        run.plan.totalTimeout = plan.totalTimeout.map { max(.zero, $0 - start.duration(to: .now)) }
        return run
    }

    /// Runs the command. Throws ``ToolError`` with the exit code unless that is 0. Everything except the error's
    /// sentence was printed before.
    func run() async throws {
        do {
            try await runAndReport()
        } catch let failure as GetFailure {
            throw ToolError(failure.sentence, status: failure.status)
        }
    }

    /// Throws ``ToolError`` without a report, and ``GetFailure`` after the report.
    private func runAndReport() async throws {
        let start = ContinuousClock.now
        var result: GetResult?
        var failure: GetFailure?
        do {
            guard let found = try await resultOrInterruption() else {
                screen.removeProgress()
                if isDownload { screen.note("interrupted; --continue resumes the download") }
                throw ToolError("", status: .interrupted)
            }
            failure = GetFailure(errorResponse: found.response)
            failure?.body = found.errorBody.flatMap { GetFailure.shown($0) }
            result = found
        } catch let error as ToolError {
            screen.removeProgress()
            throw error
        } catch {
            failure = GetFailure(error, at: journal.url, isRedirected: !journal.redirects.isEmpty, prober: prober)
        }
        screen.removeProgress()
        if plan.omitsErrors { failure?.body = nil }
        let report = GetReport(
            request: request, journal: journal, result: result, failure: failure,
            duration: start.duration(to: .now))
        if plan.isJSON {
            try await ConsoleSink.write(Array((report.json + "\n").utf8), to: console)
        } else {
            for line in report.lines { screen.note(line) }
        }
        if let failure { throw failure }
    }

    /// Returns the result; `nil` after an interruption. Then the exchange has ended, and its temporary file is removed.
    private func resultOrInterruption() async throws -> GetResult? {
        try await withThrowingTaskGroup(of: GetResult?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await result() }
            group.addTask {
                await interruption()
                return nil
            }
            if let first = try await group.next(), let result = first { return result }
            group.cancelAll()
            // The exchange may have succeeded in the meantime. Its error does not matter.
            return (try? await group.next()) ?? nil
        }
    }

    private var carrier: GetCarrier {
        // Other requests have no received bytes, and a Range field of theirs is the user's.
        GetCarrier(
            client: client, body: body, redirects: plan.redirects,
            resumption: isDownload ? plan.resumption : .automatic, onlyHost: plan.onlyHost, journal: journal)
    }

    private func result() async throws -> GetResult {
        try output.check(mayExist: plan.resumption != .automatic)
        switch output {
        case .standardOutput where plan.isJSON:
            let sink = MemorySink()
            var result = try await stream(to: sink)
            result.body = sink.bytes
            return result
        case .standardOutput where console.outputIsTerminal:
            return try await stream(to: TerminalSink(console: console))
        case .standardOutput:
            return try await stream(to: ConsoleSink(console: console))
        case .device(let path):
            let start = ContinuousClock.now
            let sink = try await GetLimit.run(plan.totalTimeout) { try await DeviceSink.opened(path) }
            return try await since(start).stream(to: sink)
        case .file(let path) where isDownload:
            return try await download(to: path)
        case .file(let path):
            // Before the request, which may have effects: the file can be created.
            let sink = try await NewFileSink.created(path, replaces: plan.resumption == .startsAgain)
            return try await stream(to: sink)
        }
    }

    // MARK: Streams

    private func stream(to sink: any GetSink) async throws -> GetResult {
        do {
            let result = try await carrier.carry(request, options: plan.requestOptions) { response, reader in
                try await write(response, &reader, to: sink)
            }
            if result.errorBody == nil { try await sink.finish() } else { await sink.abandon() }
            return result
        } catch {
            await sink.abandon()
            throw error
        }
    }

    private func write(
        _ response: HTTPResponse, _ reader: inout HTTPBodyReader, to sink: any GetSink
    ) async throws -> GetResult {
        if plan.includesHead { try await writeHead(response, reader.facts) }
        let isError = response.status.code >= 400
        if isError, plan.omitsErrors || output.path != nil {
            let beginning = plan.omitsErrors ? [] : try await beginning(of: &reader)
            return GetResult(response: response, bytes: 0, errorBody: beginning)
        }
        let total = response.headerFields[.contentLength].flatMap { Int64($0) }
        var count: Int64 = 0
        while let part = try await reader.next() {
            count += Int64(part.count)
            if let limit = plan.maximumBytes, count > limit {
                throw GetFailure(
                    code: "tooLarge", reason: "the body has more than \(limit) bytes, the limit of --max-size",
                    status: .exchangeFailed)
            }
            try await sink.write(part)
            screen.show(progress(count, of: total))
        }
        return GetResult(response: response, bytes: count, file: output.path)
    }

    /// Returns the beginning of a body that is not written. The status matters, so an incomplete body is not an error.
    private func beginning(of reader: inout HTTPBodyReader) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            while bytes.count < Self.errorBodyLimit, let part = try await reader.next() { bytes += part }
        } catch let error as TransportError where error.code != .cancelled {
        }
        return Array(bytes.prefix(Self.errorBodyLimit))
    }

    // MARK: Downloads

    private func download(to path: String) async throws -> GetResult {
        var options = DownloadOptions(
            idleTimeout: plan.idleTimeout, totalTimeout: plan.totalTimeout, maximumBytes: plan.maximumBytes ?? .max,
            checksum: plan.checksum, redirects: .deliver, retry: TransferRetry(attempts: plan.retries),
            onProgress: { screen.show(progress($0.received, of: $0.toReceive)) }, onEvent: { tell($0) })
        options.keepsPart = plan.resumption == .keeps
        options.replacement = plan.resumption == .automatic ? .never : .always
        let file: DownloadedFile
        do {
            file = try await client.download(request, to: path, options: options, over: carrier)
        } catch let error as TransferError where error.code == .destinationExists {
            throw GetFailure.exists(path)
        }
        if plan.includesHead { try await writeHead(file.response, file.facts) }
        return GetResult(
            response: file.response, bytes: file.size, file: path, resumedAt: file.resumedAt, verified: file.verified)
    }

    private func tell(_ event: TransferEvent) {
        let isForced = plan.resumption == .startsAgain
        switch event {
        case .resuming(let offset):
            if !isForced { screen.note("resuming after \(offset) bytes") }
        case .startedOver(let reason):
            // With --continue, the carrier then fails.
            let isRefused = journal.startsAgain(reason) && plan.resumption == .keeps
            if !isForced, !isRefused { screen.note("starting again: \(Printable.text(reason))") }
        case .lost(let error, let wait):
            let reason = ErrorText.clause(Printable.text(error.reason))
            screen.note("\(reason); continuing in \(wait.wholeMilliseconds) ms")
        }
    }

    private func progress(_ done: Int64, of total: Int64?) -> ProgressLine {
        ProgressLine(label: output.path.map { GetOutput.split($0).name } ?? "download", done: done, total: total)
    }

    // MARK: The head

    /// Writes the head of a response to standard output, with an empty line at its end. The reason phrase is not part
    /// of a response: clients must ignore it (RFC 9112, section 4), and HTTP/2 has none.
    private func writeHead(_ response: HTTPResponse, _ facts: ConnectionFacts) async throws {
        var lines = ["\(facts.version) \(response.status.code)"]
        lines += response.headerFields.map { "\($0.name.rawName): \($0.value)" }
        if console.outputIsTerminal {
            lines = lines.map { TerminalText.lines($0, limit: .max).lines.joined(separator: " ") }
        }
        try await ConsoleSink.write(Array((lines.joined(separator: "\n") + "\n\n").utf8), to: console)
    }
}
